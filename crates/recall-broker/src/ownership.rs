//! Who owns which partition: every worker computes the same answer from the list of living ones, so nobody has to assign.

use std::hash::Hasher;

use crate::stirred;

/// The worker with the highest draw for this partition; `None` where nobody lives.
pub fn owner<'w>(partition: u32, alive: &[&'w str]) -> Option<&'w str> {
    alive.iter().copied().max_by_key(|worker| (draw(partition, worker), *worker))
}

/// The partitions of `0..partitions` that belong to `worker`.
pub fn owned(worker: &str, alive: &[&str], partitions: u32) -> Vec<u32> {
    (0..partitions).filter(|partition| owner(*partition, alive) == Some(worker)).collect()
}

/// 64-bit FNV-1a of partition and worker, stirred.
fn draw(partition: u32, worker: &str) -> u64 {
    let mut hasher = fnv::FnvHasher::default();
    hasher.write(&partition.to_le_bytes());
    hasher.write(worker.as_bytes());
    stirred(hasher.finish())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(count: usize) -> Vec<String> {
        (0..count).map(|n| format!("worker-{n}")).collect()
    }

    fn listed(names: &[String]) -> Vec<&str> {
        names.iter().map(String::as_str).collect()
    }

    #[test]
    fn every_partition_has_exactly_one_owner() {
        let names = names(5);
        let alive = listed(&names);
        let mut all: Vec<u32> = alive.iter().flat_map(|worker| owned(worker, &alive, 32)).collect();
        all.sort_unstable();
        assert_eq!(all, (0..32).collect::<Vec<_>>());
    }

    #[test]
    fn the_order_of_the_list_does_not_matter() {
        let names = names(4);
        let alive = listed(&names);
        let turned: Vec<&str> = alive.iter().rev().copied().collect();
        assert!((0..32).all(|partition| owner(partition, &alive) == owner(partition, &turned)));
    }

    #[test]
    fn a_worker_that_leaves_moves_only_its_own_partitions() {
        let names = names(4);
        let alive = listed(&names);
        let (gone, left) = alive.split_last().unwrap();
        for partition in 0..256 {
            let before = owner(partition, &alive).unwrap();
            if before != *gone {
                assert_eq!(owner(partition, left), Some(before));
            }
        }
    }

    #[test]
    fn work_is_spread() {
        let names = names(4);
        let alive = listed(&names);
        for worker in &alive {
            let share = owned(worker, &alive, 1024).len();
            assert!((180..=340).contains(&share), "{worker} owns {share} of 1024");
        }
    }

    #[test]
    fn without_workers_nobody_owns_anything() {
        assert_eq!(owner(0, &[]), None);
        assert!(owned("worker-0", &[], 32).is_empty());
    }
}
