//! The primitive polynomials behind the fingerprints.
//!
//! Each has degree 64. The bits of the `u64` are the coefficients below `x^64`; the coefficient of
//! `x^64` is implied. The choice is arbitrary and verifiable: `SplitMix64` with the seed `"Shingles"`
//! generates numbers, and these are the first odd ones that are primitive, in order. A test generates
//! them again and proves that each is primitive. They must never change, because all fingerprints
//! would change with them.

use crate::SHINGLES;

/// The polynomial for the fingerprints of words.
pub(crate) const WORDS: u64 = 0xfc42_62fd_f6ee_f32b;

/// The polynomial for the fingerprints of phrases.
pub(crate) const PHRASES: u64 = 0x4a4f_6196_8786_febf;

/// The polynomials for the functions that select shingles.
pub(crate) const SELECTORS: [u64; SHINGLES] = [
    0xea2b_d90e_0e38_06a7,
    0x67a9_d3ce_7c84_734f,
    0x86ee_545d_23bd_0289,
    0xd761_8d45_88aa_7893,
    0x4c27_d9ab_3ef7_d26d,
    0xf5b5_b7f3_bea1_bacb,
    0x6cdc_aeb5_ac26_12bb,
    0xa614_46b9_174e_4579,
    0xa63d_0a73_d404_cbf5,
    0x95c4_745b_41c2_af7f,
    0x8446_acac_2cf3_de4b,
    0x7fd3_bdd9_6626_938d,
    0x691c_58e6_d5df_c35b,
    0xcd17_930b_13ed_48fd,
    0xd8a3_4a28_a364_64ad,
    0xe681_017c_2660_ae2f,
    0x96ae_f56d_2f4c_5da7,
    0x7d08_3917_bd51_bc25,
    0x732d_bde4_4f40_8677,
    0x2210_a23a_e8fa_55d7,
    0xd2ab_5abb_2df4_d499,
    0x721b_27f6_5706_7829,
    0x2057_f212_363f_3bcf,
    0xe2bb_539d_afdb_2f7b,
    0x57e3_8c24_db29_dcad,
    0x7e77_deae_d131_6335,
    0x1558_e698_409d_2c91,
    0x4835_696b_a0cc_f2a3,
    0x79a2_cb04_b1bf_1c6f,
    0x6113_4cdf_d860_2b95,
    0xab1a_3eb8_d678_b71b,
    0xd591_681e_c139_a1d3,
    0x763f_1629_8a87_1199,
    0x6786_6d38_fea0_5a1f,
    0x67f4_bd84_3559_d281,
    0xb625_2b8a_a8fa_d351,
    0xd66c_1bd3_6996_84cf,
    0xd89f_32d6_5d2e_17a1,
    0x4395_9800_39b6_2da1,
    0x53c2_dc52_1ae2_be77,
    0x2ca0_ffd8_1430_4723,
    0x1b3e_64a1_08c8_2bcb,
    0x10aa_1766_181d_f8c5,
    0xbd44_58b2_2008_56b5,
    0x527b_6174_a9ff_0f21,
    0xa67a_781d_f792_f703,
    0x9322_e489_4944_d195,
    0xcb07_dc67_3370_1c55,
    0x80f7_9693_e025_163b,
    0x5e58_37b2_ae0b_b2ef,
    0x0ff6_7f0b_5473_724b,
    0xbb84_00cb_1b71_5893,
    0xff65_9770_db02_89c3,
    0x8684_38ea_6599_cf25,
    0x192b_6458_99b6_8c97,
    0xdfcd_1e7e_6fd7_d18d,
    0x4318_a592_80ad_4d33,
    0xee9c_1e54_fa75_3953,
    0x248f_e91b_b40c_8827,
    0x18d7_5e02_5294_0d51,
    0x7e47_da93_5a01_ae43,
    0xafc0_daf6_48f1_dfbf,
    0xd8c6_9153_5cac_a24b,
    0xda9f_1643_9f69_599d,
    0xaea8_5d3c_3b66_3efd,
    0xaafc_60e4_9724_4e3d,
    0xe63d_a2aa_5822_7a2f,
    0xe0df_022f_ab46_dbf9,
    0xbef8_af95_f2c0_9621,
    0x2095_f16c_e60e_6563,
    0xfdc0_27a2_14dc_11c1,
    0x09d4_2ee8_d215_d5d7,
    0xb9bc_fcb1_d872_7f25,
    0x33ae_932e_d826_1049,
    0xdff7_6622_c9a1_c0ef,
    0xaf24_859f_6740_84a1,
    0x921e_2445_6097_c1b7,
    0x9fbf_679f_5ad3_f561,
    0x2b4f_699e_0395_2d71,
    0x2f93_95af_2f07_bbb3,
    0x75ad_117e_eb29_0da3,
    0x7c2d_e857_84e6_2039,
    0xd99d_4738_f44e_c8d9,
    0x144c_abd5_cb2f_d14f,
];

/// The polynomial for supershingles.
pub(crate) const SUPERSHINGLES: u64 = 0x1971_135f_2284_5d25;

#[cfg(test)]
mod tests {
    use super::*;

    /// The seed of `SplitMix64`.
    const SEED: u64 = u64::from_be_bytes(*b"Shingles");

    /// The prime factors of 2^64 - 1.
    const PRIMES: [u64; 7] = [3, 5, 17, 257, 641, 65_537, 6_700_417];

    fn split_mix_64() -> impl Iterator<Item = u64> {
        let mut state = SEED;
        std::iter::repeat_with(move || {
            state = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
            let mut z = state;
            z = (z ^ z >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
            z = (z ^ z >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
            z ^ z >> 31
        })
    }

    /// Multiplies two polynomials modulo a third.
    fn product(a: u64, mut b: u64, modulo: u64) -> u64 {
        let (mut a, mut product) = (a, 0);
        while b != 0 {
            product ^= a * (b & 1);
            a = (a << 1) ^ (modulo * (a >> 63));
            b >>= 1;
        }
        product
    }

    fn x_to_the(mut exponent: u64, modulo: u64) -> u64 {
        let (mut square, mut power) = (2, 1);
        while exponent != 0 {
            if exponent & 1 == 1 {
                power = product(power, square, modulo);
            }
            square = product(square, square, modulo);
            exponent >>= 1;
        }
        power
    }

    /// Returns `x^(2^squarings)` modulo a polynomial.
    fn squared_x(squarings: u32, modulo: u64) -> u64 {
        (0..squarings).fold(2, |x, _| product(x, x, modulo))
    }

    fn greatest_common_divisor(mut a: u128, mut b: u128) -> u128 {
        while b != 0 {
            while a.leading_zeros() <= b.leading_zeros() && a != 0 {
                a ^= b << (b.leading_zeros() - a.leading_zeros());
            }
            (a, b) = (b, a);
        }
        a
    }

    /// Applies Rabin's test for irreducibility. 2 is the only prime factor of the degree.
    fn is_irreducible(polynomial: u64) -> bool {
        let whole = 1 << 64 | u128::from(polynomial);
        let half_way = squared_x(32, polynomial) ^ 2;
        squared_x(64, polynomial) == 2 && greatest_common_divisor(whole, half_way.into()) == 1
    }

    /// Returns true if `x` has the order 2^64 - 1.
    fn is_primitive(polynomial: u64) -> bool {
        is_irreducible(polynomial)
            && PRIMES
                .iter()
                .all(|prime| x_to_the(u64::MAX / prime, polynomial) != 1)
    }

    #[test]
    fn prime_factors_are_complete() {
        assert_eq!(PRIMES.iter().product::<u64>(), u64::MAX);
    }

    #[test]
    fn known_polynomials_are_classified() {
        // x^64 + x^4 + x^3 + x + 1 is primitive. x^64 + 1 equals (x + 1)^64.
        assert!(is_primitive(0b11011));
        assert!(!is_irreducible(1));
        // An irreducible polynomial is not always primitive: x may have a smaller order.
        let not_primitive = (1..200)
            .step_by(2)
            .find(|&p| is_irreducible(p) && !is_primitive(p));
        assert!(not_primitive.is_some());
    }

    #[test]
    fn polynomials_come_from_the_seed() {
        let mut all = vec![WORDS, PHRASES];
        all.extend(SELECTORS);
        all.push(SUPERSHINGLES);
        let again: Vec<u64> = split_mix_64()
            .filter(|number| number & 1 == 1 && is_primitive(*number))
            .take(all.len())
            .collect();
        assert_eq!(all, again);
        all.sort_unstable();
        all.dedup();
        assert_eq!(all.len(), 87);
    }
}
