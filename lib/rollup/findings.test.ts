import { expect, test } from "vitest";
import { noCounts } from "./counts.ts";
import { findingsOf } from "./findings.ts";
import { encode, note, type Sketch } from "./sketch.ts";
import { Sum } from "./sums.ts";

/** So many turns or calls, how many of them failed or were escalated, and how long each took, ms. */
function sumOf(count: number, failed = 0, ms = 100, escalated = 0): Sum {
  const durations: Sketch = new Map();
  for (let index = 0; index < count; index += 1) note(durations, ms);
  const sum = new Sum();
  sum.add({ ...noCounts(), count, failed, escalated, durations: encode(durations), waits: encode(new Map()) });
  return sum;
}

const whole = [sumOf(1), sumOf(1)] as const;
/** Within 50 ms. */
const about = (ms: number) => expect.closeTo(ms, -2);

test("a version is compared with all others that call the tool, not with itself", () => {
  const tool = (version: string, now: Sum, earlier: Sum) => ({
    ...{ agent: "support", version, tool: "refund", now, earlier, first: 0 },
  });
  const tools = [tool("1", sumOf(0), sumOf(100, 10)), tool("2", sumOf(100, 40), sumOf(0))];
  const releases = [{ agent: "support", version: "2", at: 7 }];
  expect(findingsOf({ tools, versions: [], agents: [], releases, whole })).toMatchObject([
    { kind: "tool_failed", version: "2", since: 7, count: 100, hit: 40, before: { count: 100, hit: 10 } },
  ]);
  // No version is new: the tool itself is.
  expect(findingsOf({ tools, versions: [], agents: [], releases: [], whole })).toMatchObject([
    { kind: "tool_failed", tool: "refund", agent: null, version: null, before: { count: 100, hit: 10 } },
  ]);
});

test.each([
  ["turns_failed", (now: number) => sumOf(100, now, 900)],
  ["escalated", (now: number) => sumOf(100, 0, 900, now)],
] as const)("%s: a version is compared with what its agent did before, and does in other versions", (kind, bad) => {
  const agents = [{ agent: "support", now: sumOf(200), earlier: sumOf(100, 5, 200, 5), first: 0 }];
  const versions = [
    { agent: "support", version: "1", now: sumOf(100, 5, 300, 5), earlier: sumOf(100, 5, 200, 5), first: 0 },
    { agent: "support", version: "2", now: bad(40), earlier: sumOf(0), first: 7 },
    { agent: "other", version: "2", now: sumOf(100, 99, 50, 99), earlier: sumOf(0), first: 7 },
  ];
  const releases = ["support", "other"].map((agent) => ({ agent, version: "2", at: 7 }));
  const [found] = findingsOf({ tools: [], versions, agents, releases, whole });
  expect(found).toMatchObject({
    ...{ kind, agent: "support", version: "2", since: 7, count: 100, hit: 40, p95: about(900) },
    before: { count: 200, hit: 10, p95: about(300) },
  });
});

test("without a period before there is nothing to compare with", () => {
  const agents = [{ agent: "support", now: sumOf(100, 90), earlier: sumOf(100, 1), first: 0 }];
  expect(findingsOf({ tools: [], versions: [], agents, releases: [], whole })).not.toEqual([]);
  expect(findingsOf({ tools: [], versions: [], agents, releases: [], whole: [sumOf(1), new Sum()] })).toEqual([]);
});
