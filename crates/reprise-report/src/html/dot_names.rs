//! Positions of names beside dots, such that names do not cover each other.

/// The width of a character on a phone, where text is largest relative to the plot. The unit is that of the plot.
const CHAR_WIDTH: f64 = 11.3;

/// The height of a line of text on a phone.
const CHAR_HEIGHT: f64 = 22.0;

/// The distance between a dot and its name.
const GAP: f64 = 7.0;

/// The position of a name. Its dot is above or below one end of the name.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Label {
    pub(crate) x: f64,
    /// The baseline.
    pub(crate) y: f64,
    /// True if the name ends at `x`, false if it begins there.
    pub(crate) is_end: bool,
}

/// The left, top, right and bottom edges of a rectangle.
pub(crate) type Area = (f64, f64, f64, f64);

/// Returns a position for the name of each dot, or `None` if there is no room. Earlier names are placed
/// first.
///
/// Names are inside `within`. They never cover a dot of `dots`, and cover as few `other` dots as possible.
pub(crate) fn place(
    dots: &[(f64, f64, &str)],
    other: &[(f64, f64)],
    within: Area,
) -> Vec<Option<Label>> {
    let mut taken: Vec<Area> = dots.iter().map(|&(x, y, _)| around(x, y)).collect();
    let other: Vec<Area> = other.iter().map(|&(x, y)| around(x, y)).collect();
    let mut labels = Vec::with_capacity(dots.len());
    for &(x, y, name) in dots {
        let width = width(name);
        let possible = choices(x, y).into_iter().filter(|label| {
            let area = area(label, width);
            is_inside(area, within) && !taken.iter().any(|&taken| meet(area, taken))
        });
        let covered = |label: &Label| {
            let area = area(label, width);
            other.iter().filter(|&&dot| meet(area, dot)).count()
        };
        let label = possible.min_by_key(covered);
        taken.extend(label.map(|label| area(&label, width)));
        labels.push(label);
    }
    labels
}

fn around(x: f64, y: f64) -> Area {
    (x - 4.0, y - 4.0, x + 4.0, y + 4.0)
}

/// Returns the possible positions: above or below the dot and its error bar.
fn choices(x: f64, y: f64) -> [Label; 4] {
    let (above, below) = (y - GAP, y + GAP - 2.0 + CHAR_HEIGHT * 0.7);
    [(above, true), (above, false), (below, true), (below, false)].map(|(y, is_end)| Label {
        x,
        y,
        is_end,
    })
}

fn area(label: &Label, width: f64) -> Area {
    let left = if label.is_end {
        label.x - width
    } else {
        label.x
    };
    // Some letters reach below the baseline.
    (
        left,
        label.y - CHAR_HEIGHT * 0.7,
        left + width,
        label.y + 2.0,
    )
}

/// Returns the width of a name. A character that is not ASCII may be twice as wide.
fn width(name: &str) -> f64 {
    let chars = name.chars().map(|c| if c.is_ascii() { 1.0 } else { 2.0 });
    chars.sum::<f64>() * CHAR_WIDTH
}

fn meet(a: Area, b: Area) -> bool {
    a.0 < b.2 && b.0 < a.2 && a.1 < b.3 && b.1 < a.3
}

fn is_inside(a: Area, b: Area) -> bool {
    a.0 >= b.0 && a.1 >= b.1 && a.2 <= b.2 && a.3 <= b.3
}

#[cfg(test)]
mod tests {
    use super::{area, meet, place, width};

    const WITHIN: (f64, f64, f64, f64) = (0.0, 0.0, 400.0, 300.0);

    #[test]
    fn names_do_not_overlap() {
        let dots: Vec<(f64, f64, &str)> = (0..12_u8)
            .map(|number| {
                (
                    390.0 - f64::from(number) * 8.0,
                    100.0 + f64::from(number % 3),
                    "stitch.example",
                )
            })
            .collect();
        let labels = place(&dots, &[], WITHIN);
        let areas: Vec<_> = (labels.iter().flatten())
            .map(|label| area(label, width("stitch.example")))
            .collect();
        assert!(areas.len() >= 2 && areas.len() < dots.len());
        for (index, &one) in areas.iter().enumerate() {
            assert!(one.0 >= 0.0 && one.2 <= 400.0);
            assert!(areas[..index].iter().all(|&other| !meet(one, other)));
        }
    }

    #[test]
    fn a_name_without_room_has_no_position() {
        let long = "x".repeat(100);
        assert_eq!(place(&[(200.0, 100.0, &long)], &[], WITHIN), [None]);
        assert!(place(&[(5.0, 100.0, "left")], &[], WITHIN)[0].is_some_and(|label| !label.is_end));
        assert!(
            place(&[(395.0, 100.0, "right")], &[], WITHIN)[0].is_some_and(|label| label.is_end)
        );
    }

    #[test]
    fn other_dots_are_covered_only_if_necessary() {
        let dot = [(390.0, 100.0, "name")];
        let above = place(&dot, &[], WITHIN)[0].expect("a place");
        let below = place(&dot, &[(370.0, above.y - 5.0)], WITHIN)[0].expect("a place");
        assert!(above.y < 100.0 && below.y > 100.0);
        let everywhere = [(370.0, above.y - 5.0), (370.0, below.y - 5.0)];
        assert!(place(&dot, &everywhere, WITHIN)[0].is_some());
    }
}
