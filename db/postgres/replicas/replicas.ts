import { hostname } from "node:os";
import { setTimeout as delay } from "node:timers/promises";
import { StorageUnreachable } from "../../errors.ts";
import type { Replicas } from "../../replicas.ts";
import type { Database } from "../database.ts";
import type { LogFollower } from "../log/follower.ts";
import type { Channel } from "./channel.ts";
import type { LeaderElection } from "./leader-election.ts";

/** A replica that knows the end of the log no better does not answer requests, ms. It looks once a second. */
const LONGEST_BEHIND_MS = 5_000;

/** Who asks whether it is ready does not wait longer, ms. */
const PATIENCE_MS = 2_000;

/** This replica, among others. */
export function createReplicas(
  database: Database,
  { channel, election, follower }: { channel: Channel; election: LeaderElection; follower: LogFollower },
): Replicas {
  return {
    // A process has the number 1 in every container; a host's name is the pod's, or the container's.
    name: `${hostname()}-${process.pid}`,
    tell: (topic, text) => channel.tell(topic, text),
    hear: (topic, heard) => channel.hear(topic, heard),
    follow: (...given) => follower.follow(...given),
    asLeader: (task) => election.run(task),
    isLeader: () => election.isSurelyLeader,
    async ready() {
      const patience = delay(PATIENCE_MS, "late", { ref: false });
      const answered = await Promise.race([database.rows("SELECT 1"), patience]);
      if (answered === "late") throw new StorageUnreachable(new Error("Postgres did not answer in time"));
      if (follower.behind > LONGEST_BEHIND_MS)
        throw new StorageUnreachable(new Error(`The log was not read for ${Math.round(follower.behind)} ms`));
    },
  };
}
