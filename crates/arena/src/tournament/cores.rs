//! Pins bots to cores.

/// The cores this process may use; empty if the system doesn't say.
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

/// Pins this thread to these cores, with every thread and process it starts from now on.
#[cfg(any(target_os = "linux", target_os = "android"))]
pub(super) fn pin_thread(cores: &[usize]) {
    use rustix::thread::{CpuSet, sched_setaffinity};
    let mut set = CpuSet::new();
    for &core in cores {
        set.set(core);
    }
    // If a core has been taken away, leave the choice to the system.
    let _ = sched_setaffinity(None, &set);
}

#[cfg(not(any(target_os = "linux", target_os = "android")))]
pub(super) fn allowed_cores() -> Vec<usize> {
    Vec::new()
}

#[cfg(not(any(target_os = "linux", target_os = "android")))]
pub(super) fn pin_thread(_: &[usize]) {}

/// Divides the cores into sets of `each`, one per concurrent game. A game that needs more cores
/// than there are gets all of them. If only `usable` of the cores may be busy at once, for example
/// because of a cgroup quota, there are fewer sets.
pub(super) fn core_sets(cores: &[usize], usable: usize, each: usize) -> Vec<Vec<usize>> {
    let each = each.clamp(1, cores.len().max(1));
    let max_sets = (usable / each).max(1);
    let sets = cores.chunks_exact(each).take(max_sets);
    sets.map(<[usize]>::to_vec).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_core_is_shared_by_two_games() {
        let cores = [0, 1, 4, 5, 6];
        assert_eq!(core_sets(&cores, 5, 1).len(), 5);
        assert_eq!(core_sets(&cores, 5, 2), [vec![0, 1], vec![4, 5]]);
        assert_eq!(core_sets(&cores, 5, 9), [cores.to_vec()]);
        assert_eq!(core_sets(&[], 5, 2), Vec::<Vec<usize>>::new());
    }

    /// Guards against a game on every core where a cgroup quota allows the time of two.
    #[test]
    fn core_sets_respect_a_quota() {
        let cores = [0, 1, 2, 3, 4, 5];
        assert_eq!(core_sets(&cores, 2, 1), [vec![0], vec![1]]);
        assert_eq!(core_sets(&cores, 4, 2), [vec![0, 1], vec![2, 3]]);
        assert_eq!(core_sets(&cores, 2, 3), [vec![0, 1, 2]]);
        assert_eq!(core_sets(&cores, 1, 9), [cores.to_vec()]);
    }

    /// Threads started by a pinned thread are pinned, too.
    #[cfg(target_os = "linux")]
    #[test]
    fn children_of_a_pinned_thread_are_pinned() {
        let first = allowed_cores()[0];
        let pinned = std::thread::spawn(move || {
            pin_thread(&[first]);
            std::thread::spawn(allowed_cores).join().expect("no panic")
        });
        assert_eq!(pinned.join().expect("no panic"), [first]);
    }
}
