//! Summarizes the outcomes of many pages: one row for each method and kind of edit.

use reprise_report::{EvasionRow, Quartiles};

use crate::edits::EditKind;
use crate::evade::{Outcome, Trial};
use crate::methods::MethodKind;

/// The trials of one page.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Tried {
    /// The number of its visible words.
    pub words: usize,
    /// One trial for each kind of edit.
    pub trials: Vec<Trial>,
}

/// Computes one row for each method and kind of edit: by edit, then by method, in the given order.
pub fn summarize(methods: &[MethodKind], edits: &[EditKind], tried: &[Tried]) -> Vec<EvasionRow> {
    let mut rows = Vec::new();
    for (trial, &edit) in edits.iter().enumerate() {
        for (place, &method) in methods.iter().enumerate() {
            let outcomes = tried
                .iter()
                .map(|page| (page.words, page.trials[trial].outcomes[place]));
            rows.push(row(method, edit, outcomes));
        }
    }
    rows
}

fn row(
    method: MethodKind,
    edit: EditKind,
    outcomes: impl Iterator<Item = (usize, Outcome)>,
) -> EvasionRow {
    let (mut blind, mut impossible) = (0, 0);
    let (mut edits, mut shares) = (Vec::new(), Vec::new());
    for (words, outcome) in outcomes {
        match outcome {
            Outcome::Blind => blind += 1,
            Outcome::Impossible => impossible += 1,
            Outcome::Never => {
                edits.push(None);
                shares.push(None);
            }
            Outcome::Evaded { edits: count } => {
                edits.push(Some(count as u64));
                shares.push(Some(count as f64 / words.max(1) as f64));
            }
        }
    }
    EvasionRow {
        method: method.to_string(),
        edit: edit.to_string(),
        meaning: edit.meaning().to_owned(),
        documents: edits.len() as u64,
        blind,
        impossible,
        never: edits.iter().filter(|count| count.is_none()).count() as u64,
        edits: quartiles(edits),
        share: quartiles(shares),
    }
}

/// Returns the quartiles of values in any order. `None` is greater than any value.
///
/// A quartile is one of the values: the smallest that a quarter (half, three quarters) of all values do not
/// exceed.
pub fn quartiles<T: PartialOrd + Copy>(mut values: Vec<Option<T>>) -> Quartiles<T> {
    values.sort_by(|a, b| match (a, b) {
        (Some(a), Some(b)) => a.partial_cmp(b).unwrap_or(std::cmp::Ordering::Equal),
        (a, b) => a.is_none().cmp(&b.is_none()),
    });
    let at = |quarters: usize| {
        let rank = (values.len() * quarters).div_ceil(4);
        values.get(rank.saturating_sub(1)).copied().flatten()
    };
    Quartiles {
        first: at(1),
        median: at(2),
        third: at(3),
    }
}

#[cfg(test)]
mod tests {
    use super::{Quartiles, Tried, quartiles, summarize};
    use crate::edits::EditKind;
    use crate::evade::{Outcome, Trial};
    use crate::methods::MethodKind;

    fn check(values: &[Option<u32>], expected: [Option<u32>; 3]) {
        let Quartiles {
            first,
            median,
            third,
        } = quartiles(values.to_vec());
        assert_eq!([first, median, third], expected, "{values:?}");
    }

    #[test]
    fn never_is_greater_than_any_number() {
        check(&[], [None; 3]);
        check(&[Some(7)], [Some(7); 3]);
        check(&[None, Some(1)], [Some(1), Some(1), None]);
        check(
            &[Some(4), Some(1), Some(3), Some(2)],
            [Some(1), Some(2), Some(3)],
        );
        check(&[None, None, Some(9), None], [Some(9), None, None]);
        check(
            &[Some(5), None, Some(1), Some(2), Some(3)],
            [Some(2), Some(3), Some(5)],
        );
    }

    #[test]
    fn pages_that_do_not_count_are_counted_separately() {
        let page = |words, outcome| Tried {
            words,
            trials: vec![Trial {
                edit: EditKind::Delete,
                possible: 9,
                outcomes: vec![Outcome::Never, outcome],
            }],
        };
        let tried = [
            page(10, Outcome::Evaded { edits: 5 }),
            page(0, Outcome::Blind),
            page(8, Outcome::Impossible),
            page(100, Outcome::Evaded { edits: 20 }),
        ];
        let methods = [MethodKind::File, MethodKind::Chunk];
        let rows = summarize(&methods, &[EditKind::Delete], &tried);
        assert_eq!(rows.len(), 2);
        assert_eq!(
            (rows[0].documents, rows[0].never, rows[0].edits.first),
            (4, 4, None)
        );
        let row = &rows[1];
        assert_eq!(
            (row.method.as_str(), row.edit.as_str()),
            ("chunk", "delete")
        );
        assert_eq!(
            (row.documents, row.blind, row.impossible, row.never),
            (2, 1, 1, 0)
        );
        assert_eq!((row.edits.first, row.edits.third), (Some(5), Some(20)));
        assert_eq!((row.share.first, row.share.third), (Some(0.2), Some(0.5)));
    }
}
