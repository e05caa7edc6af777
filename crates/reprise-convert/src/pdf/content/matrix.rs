//! Affine maps of positions on a page.

/// An affine map: `x' = a x + c y + e`, `y' = b x + d y + f`.
#[derive(Clone, Copy, Debug)]
pub(super) struct Matrix(pub(super) [f64; 6]);

impl Matrix {
    pub(super) const IDENTITY: Matrix = Matrix([1.0, 0.0, 0.0, 1.0, 0.0, 0.0]);

    pub(super) fn shift(x: f64, y: f64) -> Matrix {
        Matrix([1.0, 0.0, 0.0, 1.0, x, y])
    }

    /// Returns the map that applies this map and then `next`.
    pub(super) fn then(self, next: Matrix) -> Matrix {
        let ([a1, b1, c1, d1, e1, f1], [a2, b2, c2, d2, e2, f2]) = (self.0, next.0);
        Matrix([
            a1 * a2 + b1 * c2,
            a1 * b2 + b1 * d2,
            c1 * a2 + d1 * c2,
            c1 * b2 + d1 * d2,
            e1 * a2 + f1 * c2 + e2,
            e1 * b2 + f1 * d2 + f2,
        ])
    }

    pub(super) fn origin(self) -> (f64, f64) {
        (self.0[4], self.0[5])
    }

    /// Returns the height of the image of a vector of height 1.
    pub(super) fn height(self) -> f64 {
        self.0[2].hypot(self.0[3])
    }
}
