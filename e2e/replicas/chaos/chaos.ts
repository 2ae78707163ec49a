import { type Cluster, startCluster } from "../cluster.ts";
import { faultsOf } from "./checks.ts";
import { pause, startClients } from "./clients.ts";
import { harm } from "./faults.ts";
import { startToolsServer } from "./tools-server.ts";

/** All runs have to end within this time after the last fault, ms. */
const REST_MS = 240_000;

export interface ChaosPlan {
  ms: number;
  every_ms: number;
  frozen_ms: number;
  say(line: string): void;
}

/** What happened, in numbers, and what is wrong. */
export interface Outcome {
  counts: Record<string, number>;
  faults: string[];
}

/** Three replicas behind a proxy, clients of all kinds, and harm at random. */
export async function chaos(plan: ChaosPlan): Promise<Outcome> {
  const tools = await startToolsServer();
  const cluster = await startCluster(3, {
    ...{ OBELUS_HTTP_TOOL_HOSTS: tools.host, OBELUS_RATE_LIMIT: "1000000" },
  });
  try {
    const clients = startClients(cluster.address, tools.tools);
    const harmed = await harm(cluster, plan);
    const harmless = performance.now();
    const after = () => `${((performance.now() - harmless) / 1_000).toFixed(1)} s later`;
    plan.say("No more harm is done");
    await clients.stop();
    plan.say(`${after()}: all requests are answered`);
    const left = await openRuns(cluster);
    plan.say(`${after()}: ${left === 0 ? "all runs have ended" : `${left} runs have not ended`}`);
    const [newest] = await cluster.rows<{ position: string }>("SELECT max(position) AS position FROM events");
    await clients.stopFollowing(Number(newest?.position ?? 0));
    plan.say(`${after()}: all followers have seen what there is, or were waited for in vain`);
    const faults = await faultsOf(cluster, clients.told, tools);
    if (left > 0) faults.push(`${left} runs did not end within ${REST_MS / 1_000} s after the last fault`);
    const { told } = clients;
    const one = async (text: string) => Number((await cluster.rows<{ n: string }>(text))[0]?.n ?? 0);
    return {
      faults,
      counts: {
        faults: [...harmed.values()].reduce((sum, count) => sum + count, 0),
        ...Object.fromEntries(harmed),
        "events in the log": await one("SELECT count(*) AS n FROM events"),
        "events posted": told.events.length,
        "conversations imported": told.imports.size,
        "runs that were acknowledged": told.runs.length,
        "runs in the log": await one(
          "SELECT count(*) AS n FROM events WHERE type = 'run.started' AND origin = 'engine' AND parent_run_id IS NULL",
        ),
        "messages answered": [...told.messages.values()].reduce((sum, { length }) => sum + length, 0),
        "calls of tools": [...tools.calls.values()].reduce((sum, times) => sum + times, 0),
        "calls that were interrupted": await one(
          "SELECT count(*) AS n FROM events WHERE type = 'call.parked' AND payload::json ->> 'reason' = 'interrupted'",
        ),
        decisions: told.decisions.size,
        "take-overs": await one("SELECT sum(greatest(fence - 1, 0)) AS n FROM run_owners"),
        "events followed": told.followers.reduce((sum, { length }) => sum + length, 0),
        "streams opened again": told.reopened,
        "requests repeated": told.repeated,
      },
    };
  } finally {
    await cluster.stop();
    tools.close();
  }
}

/** Waits until no run is open; returns how many are after that. */
async function openRuns({ rows }: Cluster): Promise<number> {
  const until = performance.now() + REST_MS;
  for (;;) {
    const [open] = await rows<{ n: string }>(
      `SELECT count(*) AS n FROM (SELECT run_id FROM events WHERE origin = 'engine' AND run_id IS NOT NULL GROUP BY run_id
       HAVING count(*) FILTER (WHERE type IN ('run.finished', 'run.failed', 'run.cancelled')) = 0) AS open`,
    );
    const [ready] = await rows<{ n: string }>("SELECT count(*) AS n FROM run_owners WHERE ready = 1");
    const left = Number(open?.n ?? 0) + Number(ready?.n ?? 0);
    if (left === 0 || performance.now() > until) return Number(open?.n ?? 0);
    await pause(500);
  }
}
