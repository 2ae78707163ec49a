/** Keys of advisory locks, which all replicas share. Any numbers do, as long as each is the only one of its kind. */
export const LOCKS = {
  /** Held from the numbering of events to their commit: see decision 37. */
  log: 7_301_001,
  migration: 7_301_002,
  /** Held by the leader, which does what is done once in the whole system. */
  leader: 7_301_003,
  /** Held while the rollup is changed. */
  rollup: 7_301_004,
  /** Held in common while something is stored that was read of a conversation; an erasure waits for it once it has closed its own. */
  read: 7_301_005,
} as const;
