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

/** What got worse or better, the most important first. */
export function findingsOf({ tools, versions, agents, releases, whole }: Found): Finding[] {
  const worse: Finding[] = [];
  const isNew = (agent: string, version: string) =>
    releases.find((release) => release.agent === agent && release.version === version)?.at ?? null;
  for (const [tool, of] of groupBy(tools, ({ tool }) => tool)) {
    const blamed = of
      .filter(({ agent, version }) => isNew(agent, version) !== null)
      .flatMap((one) => {
        const rest = sumOf(of.filter((other) => other !== one).flatMap(({ now, earlier }) => [now, earlier]));
        const own = sumOf([rest, one.earlier]);
        return isWorse(one.now, own, "failed")
          ? finding("tool_failed", one.now, own, "failed", { ...one, since: isNew(one.agent, one.version) })
          : [];
      });
    worse.push(...blamed);
    const now = sumOf(of.map((one) => one.now));
    const earlier = sumOf(of.map((one) => one.earlier));
    if (blamed.length === 0 && isWorse(now, earlier, "failed"))
      worse.push(finding("tool_failed", now, earlier, "failed", { tool }));
  }
  for (const part of ["failed", "escalated"] as const)
    for (const { agent, now, earlier } of agents) {
      const kind = part === "failed" ? "turns_failed" : "escalated";
      const own = versions.filter((version) => version.agent === agent);
      const blamed = own.flatMap((one) => {
        const rest = sumOf([earlier, ...own.filter((other) => other !== one).map((other) => other.now)]);
        return isNew(agent, one.version) !== null && isWorse(one.now, rest, part)
          ? finding(kind, one.now, rest, part, { agent, version: one.version, since: isNew(agent, one.version) })
          : [];
      });
      worse.push(...blamed);
      if (blamed.length === 0 && isWorse(now, earlier, part)) worse.push(finding(kind, now, earlier, part, { agent }));
    }
  worse.sort((one, other) => excess(other) - excess(one));
  const slow: Finding[] = agents.flatMap(({ agent, now, earlier }) => speedOf(agent, now, earlier));
  const better = agents.flatMap(({ agent, now, earlier }) =>
    isWorse(earlier, now, "failed") ? finding("fewer_failed", now, earlier, "failed", { agent }) : [],
  );
  if (whole[1].count === 0) return [];
  return [...withoutSame(worse), ...slow, ...better].slice(0, MOST);
}

/** What a version breaks is told once: by the tool that fails, not by its turns as well. */
function withoutSame(findings: readonly Finding[]): Finding[] {
  const told = new Set<string>();
  const isTool = (finding: Finding) => finding.kind === "tool_failed";
  return [...findings.filter(isTool), ...findings.filter((finding) => !isTool(finding))].filter((finding) => {
    const key = JSON.stringify([finding.agent, finding.version]);
    if (finding.version !== null && told.has(key)) return false;
    told.add(key);
    return true;
  });
}

function speedOf(agent: string, now: Sum, earlier: Sum): Finding[] {
  if (now.count < FEWEST_TURNS || earlier.count < FEWEST_TURNS) return [];
  const [after, before] = [now.latency().p95, earlier.latency().p95];
  if (!after || !before) return [];
  if (after > before * SLOWER) return [finding("slower", now, earlier, "failed", { agent })];
  if (after * SLOWER < before) return [finding("faster", now, earlier, "failed", { agent })];
  return [];
}

/** Whether a share of `now` is worse than that of `before` beyond chance, and by so much that it matters. */
export function isWorse(now: Sum, before: Sum, part: "failed" | "escalated"): boolean {
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
function excess({ hit, count, before }: Finding): number {
  return hit - (before.count === 0 ? 0 : (before.hit / before.count) * count);
}

function finding(
  kind: FindingKind,
  now: Sum,
  before: Sum,
  part: "failed" | "escalated",
  {
    agent = null,
    version = null,
    tool = null,
    since = null,
  }: Partial<Pick<Finding, "agent" | "version" | "tool" | "since">>,
): Finding {
  return {
    ...{ kind, agent, version, tool, since },
    ...{ count: now.count, hit: now[part], p95: now.latency().p95 },
    before: { count: before.count, hit: before[part], p95: before.latency().p95 },
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
