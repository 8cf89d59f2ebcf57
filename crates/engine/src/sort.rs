//! Sorting moves of any game with the same compiled code. The standard library's sort is compiled again for each type
//! of items, and bots sort the moves of each game a dozen times: that was a fifth of this crate's code.

use std::cmp::Ordering;

/// Sorts stably. Not for search: it takes two allocations.
pub(crate) fn sort_by<T>(items: &mut Vec<T>, mut compare: impl FnMut(&T, &T) -> Ordering) {
    let mut order: Vec<usize> = (0..items.len()).collect();
    sort_indices(&mut order, &mut |a, b| compare(&items[a], &items[b]));
    let mut unsorted: Vec<Option<T>> = items.drain(..).map(Some).collect();
    items.extend(order.into_iter().filter_map(|index| unsorted[index].take()));
}

/// The same, by a key.
pub(crate) fn sort_by_key<T, K: Ord>(items: &mut Vec<T>, key: impl Fn(&T) -> K) {
    sort_by(items, |a, b| key(a).cmp(&key(b)));
}

fn sort_indices(order: &mut [usize], compare: &mut dyn FnMut(usize, usize) -> Ordering) {
    order.sort_by(|&a, &b| compare(a, b));
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sorting_is_stable() {
        let mut items: Vec<(u32, usize)> = (0..500_u32)
            .map(|n| (n.wrapping_mul(2_654_435_761) >> 28, n as usize))
            .collect();
        let mut expected = items.clone();
        expected.sort();
        sort_by_key(&mut items, |&(key, _)| key);
        assert_eq!(items, expected);
        sort_by(&mut items, |a, b| b.0.cmp(&a.0));
        expected.sort_by_key(|&(key, _)| std::cmp::Reverse(key));
        assert_eq!(items, expected);
    }
}
