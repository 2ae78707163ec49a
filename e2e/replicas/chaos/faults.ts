import type { Cluster, Replica } from "../cluster.ts";
import { pause } from "./clients.ts";

export type Fault = "killed" | "frozen" | "cut (silent)" | "cut (reset)" | "postgres restarted" | "postgres crashed";

export interface FaultPlan {
  /** For how long. */
  ms: number;
  /** The time between faults. */
  every_ms: number;
  /** For how long a replica is frozen. */
  frozen_ms: number;
  say(line: string): void;
}

/** Does harm to a cluster at random, but for one replica that always lives. Returns how often it did what. */
export async function harm(cluster: Cluster, { ms, every_ms, frozen_ms, say }: FaultPlan): Promise<Map<Fault, number>> {
  const counts = new Map<Fault, number>();
  const unwell = new Set<Replica>();
  const healing: Promise<void>[] = [];
  const began = performance.now();
  const done = (fault: Fault, what: string) => {
    counts.set(fault, (counts.get(fault) ?? 0) + 1);
    say(`${Math.round((performance.now() - began) / 1_000)} s: ${what} ${fault}`);
  };

  function hurt(replica: Replica, fault: Fault, heal: () => Promise<void>): void {
    unwell.add(replica);
    done(fault, replica.name);
    healing.push(heal().finally(() => unwell.delete(replica)));
  }

  async function harmOne(): Promise<void> {
    const well = cluster.replicas.filter((replica) => !unwell.has(replica));
    const replica = well[Math.floor(Math.random() * well.length)];
    const dice = Math.random();
    if (!replica || well.length < 2 || dice < 0.1) {
      const fault = Math.random() < 0.5 ? "postgres crashed" : "postgres restarted";
      done(fault, "Postgres:");
      return cluster.restartPostgres(fault === "postgres crashed" ? "SIGQUIT" : "SIGINT");
    }
    if (dice < 0.5)
      return hurt(replica, "killed", async () => {
        await replica.end("SIGKILL");
        await pause(Math.random() * 3_000);
        await startAgain(replica);
      });
    if (dice < 0.7)
      return hurt(replica, "frozen", async () => {
        replica.signal("SIGSTOP");
        await pause(frozen_ms);
        replica.signal("SIGCONT");
      });
    const how = Math.random() < 0.5 ? "silent" : "reset";
    return hurt(replica, `cut (${how})`, async () => {
      replica.way.cut(how);
      await pause(5_000 + Math.random() * 15_000);
      replica.way.heal();
    });
  }

  while (performance.now() - began < ms) {
    const next = performance.now() + every_ms;
    await harmOne();
    await pause(Math.max(0, next - performance.now()));
  }
  await Promise.all(healing);
  return counts;
}

/** As who looks after servers does: one that cannot start, because Postgres starts itself, is started again. */
async function startAgain(replica: Replica): Promise<void> {
  for (;;) {
    try {
      return await replica.start();
    } catch {
      await pause(1_000);
    }
  }
}
