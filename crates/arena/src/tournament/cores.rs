//! Which cores bots run on, where they are pinned.

/// The cores that this process may use, by their numbers; none where the system doesn't
/// say.
#[cfg(any(target_os = "linux", target_os = "android"))]
pub(super) fn allowed_cores() -> Vec<usize> {
    use rustix::thread::{CpuSet, sched_getaffinity};
    let Ok(set) = sched_getaffinity(None) else {
        return Vec::new();
    };
    (0..CpuSet::MAX_CPU)
        .filter(|&core| set.is_set(core))
        .collect()
}

/// Keeps this thread on these cores, with every thread and process that it starts from
/// now on.
#[cfg(any(target_os = "linux", target_os = "android"))]
pub(super) fn pin_thread(cores: &[usize]) {
    use rustix::thread::{CpuSet, sched_setaffinity};
    let mut set = CpuSet::new();
    for &core in cores {
        set.set(core);
    }
    // A core that was taken away meanwhile: then the system decides.
    let _ = sched_setaffinity(None, &set);
}

#[cfg(not(any(target_os = "linux", target_os = "android")))]
pub(super) fn allowed() -> Vec<usize> {
    Vec::new()
}

#[cfg(not(any(target_os = "linux", target_os = "android")))]
pub(super) fn pin(_: &[usize]) {}

/// Shares cores out among games that need this many each: one place for each game. A game
/// that needs more than there are gets all of them. Where only some of them can be used at
/// once, as with a quota of a control group, there are fewer places.
pub(super) fn core_sets(cores: &[usize], usable: usize, each: usize) -> Vec<Vec<usize>> {
    let each = each.clamp(1, cores.len().max(1));
    let most = (usable / each).max(1);
    let whole = cores.chunks_exact(each).take(most);
    whole.map(<[usize]>::to_vec).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_core_is_given_to_two_games() {
        let cores = [0, 1, 4, 5, 6];
        assert_eq!(core_sets(&cores, 5, 1).len(), 5);
        assert_eq!(core_sets(&cores, 5, 2), [vec![0, 1], vec![4, 5]]);
        assert_eq!(core_sets(&cores, 5, 9), [cores.to_vec()]);
        assert_eq!(core_sets(&[], 5, 2), Vec::<Vec<usize>>::new());
    }

    /// Guards against a game on every core of the machine where a control group allows the
    /// time of two of them.
    #[test]
    fn no_more_games_than_a_quota_allows() {
        let cores = [0, 1, 2, 3, 4, 5];
        assert_eq!(core_sets(&cores, 2, 1), [vec![0], vec![1]]);
        assert_eq!(core_sets(&cores, 4, 2), [vec![0, 1], vec![2, 3]]);
        assert_eq!(core_sets(&cores, 2, 3), [vec![0, 1, 2]]);
        assert_eq!(core_sets(&cores, 1, 9), [cores.to_vec()]);
    }

    /// What is started by a pinned thread is pinned, too.
    #[cfg(target_os = "linux")]
    #[test]
    fn what_a_pinned_thread_starts_stays_on_its_cores() {
        let first = allowed_cores()[0];
        let pinned = std::thread::spawn(move || {
            pin_thread(&[first]);
            std::thread::spawn(allowed_cores).join().expect("no panic")
        });
        assert_eq!(pinned.join().expect("no panic"), [first]);
    }
}
