//! Places and directions on a page.

/// An affine map: `x' = a x + c y + e`, `y' = b x + d y + f`.
#[derive(Clone, Copy, Debug)]
pub(super) struct Matrix(pub(super) [f64; 6]);

impl Matrix {
    pub(super) const IDENTITY: Matrix = Matrix([1.0, 0.0, 0.0, 1.0, 0.0, 0.0]);

    pub(super) fn shift(x: f64, y: f64) -> Matrix {
        Matrix([1.0, 0.0, 0.0, 1.0, x, y])
    }

    /// This map, and then another.
    pub(super) fn then(self, next: Matrix) -> Matrix {
        let ([a, b, c, d, e, f], [na, nb, nc, nd, ne, nf]) = (self.0, next.0);
        Matrix([
            a * na + b * nc,
            a * nb + b * nd,
            c * na + d * nc,
            c * nb + d * nd,
            e * na + f * nc + ne,
            e * nb + f * nd + nf,
        ])
    }

    pub(super) fn origin(self) -> (f64, f64) {
        (self.0[4], self.0[5])
    }

    /// How high something of height 1 becomes.
    pub(super) fn height(self) -> f64 {
        self.0[2].hypot(self.0[3])
    }
}
