import type { Release, Sided, VersionedTool } from "./overview.ts";
import { type Sum, sumOf } from "./sums.ts";

/** What was found: a tool or turns fail more or less often, more is escalated, turns take longer or less. */
export const FINDING_KINDS = ["tool_failed", "turns_failed", "escalated", "slower", "faster", "fewer_failed"] as const;
export type FindingKind = (typeof FINDING_KINDS)[number];

/** A change that chance does not explain. Counted, never guessed. */
export interface Finding {
  kind: FindingKind;
  agent: string | null;
  version: string | null;
  tool: string | null;
  /** When the version that is to blame, or to praise, came; epoch ms, null where no version is. */
  since: number | null;
  /** Turns or calls, and how many of them failed, or were escalated; what they took at p95, in ms. */
  count: number;
  hit: number;
  p95: number | null;
  before: { count: number; hit: number; p95: number | null };
}

interface Found {
  tools: readonly VersionedTool[];
  versions: readonly (Sided & { agent: string; version: string })[];
  agents: readonly (Sided & { agent: string })[];
  releases: readonly Release[];
  whole: readonly [now: Sum, earlier: Sum];
}

/** Shares differ by chance with a probability of 1 in 30,000 at most: there are some hundred comparisons in an overview. */
const SURE = 4;
/** A share that grows by less than half of itself is not worth a sentence. */
const WORSE = 1.5;
/** So few failures are none of a kind. */
const FEWEST = 5;
/** Latency is compared from so many turns on; p95 has to change by so much. */
const FEWEST_TURNS = 100;
const SLOWER = 1.25;
/** Findings that are told. */
const MOST = 4;

/** What is compared of turns or calls. */
type Counted = Pick<Sum, "count" | "failed" | "escalated">;
type Part = "failed" | "escalated";

/** A finding before it is known whether it is told: durations are only added up for one that is. */
interface Candidate extends Omit<Finding, "p95" | "before"> {
  before: { count: number; hit: number };
  durations: () => { now: Sum; before: Sum } | null;
}

/** What got worse or better, the most important first. Takes time in proportion to what is compared, whatever names there are. */
export function findingsOf({ tools, versions, agents, releases, whole }: Found): Finding[] {
  if (whole[1].count === 0) return [];
  const releasedAt = new Map(releases.map(({ agent, version, at }) => [JSON.stringify([agent, version]), at]));
  const isNew = (agent: string, version: string) => releasedAt.get(JSON.stringify([agent, version])) ?? null;
  const worse: Candidate[] = [];
  for (const [tool, of] of groupBy(tools, ({ tool }) => tool)) {
    const now = countsOf(of.map((one) => one.now));
    const earlier = countsOf(of.map((one) => one.earlier));
    const all = countsOf([now, earlier]);
    const blamed = of.flatMap((one) => {
      const { agent, version } = one;
      const since = isNew(agent, version);
      const others = without(all, one.now);
      return since !== null && isWorse(one.now, others, "failed")
        ? candidate("tool_failed", one.now, others, "failed", { agent, version, tool, since })
        : [];
    });
    worse.push(...blamed);
    if (blamed.length === 0 && isWorse(now, earlier, "failed"))
      worse.push(candidate("tool_failed", now, earlier, "failed", { tool }));
  }
  const versionsOf = groupBy(versions, ({ agent }) => agent);
  for (const part of ["failed", "escalated"] as const)
    for (const { agent, now, earlier } of agents) {
      const kind = part === "failed" ? "turns_failed" : "escalated";
      const own = versionsOf.get(agent) ?? [];
      const all = countsOf([earlier, ...own.map((one) => one.now)]);
      const blamed = own.flatMap((one) => {
        const since = isNew(agent, one.version);
        const others = without(all, one.now);
        if (since === null || !isWorse(one.now, others, part)) return [];
        const before = () => sumOf([earlier, ...own.filter((other) => other !== one).map((other) => other.now)]);
        const durations = () => ({ now: one.now, before: before() });
        return candidate(kind, one.now, others, part, { agent, version: one.version, since }, durations);
      });
      worse.push(...blamed);
      if (blamed.length === 0 && isWorse(now, earlier, part))
        worse.push(candidate(kind, now, earlier, part, { agent }, () => ({ now, before: earlier })));
    }
  worse.sort((one, other) => excess(other) - excess(one));
  const slow = agents.flatMap(({ agent, now, earlier }) => speedOf(agent, now, earlier));
  const better = agents.flatMap(({ agent, now, earlier }) =>
    isWorse(earlier, now, "failed")
      ? candidate("fewer_failed", now, earlier, "failed", { agent }, () => ({ now, before: earlier }))
      : [],
  );
  return [...withoutSame(worse), ...slow, ...better].slice(0, MOST).map(toFinding);
}

function countsOf(counted: readonly Counted[]): Counted {
  const sum = { count: 0, failed: 0, escalated: 0 };
  for (const { count, failed, escalated } of counted) {
    sum.count += count;
    sum.failed += failed;
    sum.escalated += escalated;
  }
  return sum;
}

function without(all: Counted, { count, failed, escalated }: Counted): Counted {
  return { count: all.count - count, failed: all.failed - failed, escalated: all.escalated - escalated };
}

/** What a version breaks is told once: by the tool that fails, not by its turns as well. */
function withoutSame(findings: readonly Candidate[]): Candidate[] {
  const told = new Set<string>();
  const isTool = (finding: Candidate) => finding.kind === "tool_failed";
  return [...findings.filter(isTool), ...findings.filter((finding) => !isTool(finding))].filter((finding) => {
    const key = JSON.stringify([finding.agent, finding.version]);
    if (finding.version !== null && told.has(key)) return false;
    told.add(key);
    return true;
  });
}

function speedOf(agent: string, now: Sum, earlier: Sum): Candidate[] {
  if (now.count < FEWEST_TURNS || earlier.count < FEWEST_TURNS) return [];
  const [after, before] = [now.latency().p95, earlier.latency().p95];
  if (!after || !before) return [];
  const found = (kind: FindingKind) => [
    candidate(kind, now, earlier, "failed", { agent }, () => ({ now, before: earlier })),
  ];
  if (after > before * SLOWER) return found("slower");
  return after * SLOWER < before ? found("faster") : [];
}

/** Whether a share of `now` is worse than that of `before` beyond chance, and by so much that it matters. */
export function isWorse(now: Counted, before: Counted, part: Part): boolean {
  return isHigher([now[part], now.count], [before[part], before.count]);
}

/** The same for hits of a number. */
export function isHigher(
  [hits, count]: readonly [number, number],
  [hitsBefore, before]: readonly [number, number],
): boolean {
  if (hits < FEWEST || count === 0 || before === 0) return false;
  const [share, shareBefore] = [hits / count, hitsBefore / before];
  if (share < shareBefore * WORSE) return false;
  const pooled = (hits + hitsBefore) / (count + before);
  const deviation = Math.sqrt(pooled * (1 - pooled) * (1 / count + 1 / before));
  return deviation === 0 ? false : (share - shareBefore) / deviation > SURE;
}

/** How many more were hit than before would have been. */
function excess({ hit, count, before }: Candidate): number {
  return hit - (before.count === 0 ? 0 : (before.hit / before.count) * count);
}

function candidate(
  kind: FindingKind,
  now: Counted,
  before: Counted,
  part: Part,
  named: Partial<Pick<Finding, "agent" | "version" | "tool" | "since">>,
  durations: Candidate["durations"] = () => null,
): Candidate {
  return {
    ...{ kind, agent: null, version: null, tool: null, since: null, ...named },
    ...{ count: now.count, hit: now[part] },
    before: { count: before.count, hit: before[part] },
    durations,
  };
}

function toFinding({ durations, before, ...found }: Candidate): Finding {
  const sums = durations();
  return {
    ...{ ...found, p95: sums?.now.latency().p95 ?? null },
    before: { ...before, p95: sums?.before.latency().p95 ?? null },
  };
}

function groupBy<T>(all: readonly T[], keyOf: (one: T) => string): Map<string, T[]> {
  const groups = new Map<string, T[]>();
  for (const one of all) {
    const key = keyOf(one);
    const group = groups.get(key);
    if (group) group.push(one);
    else groups.set(key, [one]);
  }
  return groups;
}
