import fc from "fast-check";
import { expect, test } from "vitest";
import type { JsonObject } from "../../../session/json/json.ts";
import { setupRemembering } from "../../testing/remembering.ts";
import { type Bench, request, type SetupOptions, type TestTool } from "../../testing/setup.ts";

const words = { reason: null, action: null, result: undefined, actor: "operator:x" };

/** A server's engine through its processes, and what carries its calls out. */
class World {
  /** Top-level runs of one user whose calls were under way at the same time. */
  readonly together: string[][] = [];
  /** What operators were told by the processes before this one. */
  readonly logged: string[] = [];
  bench: Bench;
  #running = new Map<string, string[]>();
  #started = 0;

  constructor() {
    this.bench = setupRemembering(this.#options());
  }

  get open() {
    return [...this.bench.session().runs.values()].filter(({ ended_seq }) => ended_seq === null);
  }

  get asked() {
    return [...this.bench.session().confirmations.values()].filter(({ status }) => status === "requested");
  }

  async start(user: string, calls: readonly { tool: string; ms: number; chained: boolean }[]): Promise<void> {
    this.#started += 1;
    const root = `r${this.#started}`;
    const plan = calls.map(
      ({ tool, ms, chained }, at): JsonObject => ({
        ...(DELEGATES.some(({ name }) => name === tool) ? { _tool: "slow", _delegate: tool } : { _tool: tool }),
        ...{ _id: `${root}_${at}`, user, root, ms, _outputPath: `†state.c${at}` },
        ...(chained && at > 0 ? { after: `†state.c${at - 1}` } : {}),
      }),
    );
    await this.bench.engine.start(request(plan, { user_id: user, conversation_id: "c" }));
  }

  /** The process ends, and the next one goes on. */
  async crash(): Promise<void> {
    this.bench.journal.crash();
    this.logged.push(...this.bench.logged);
    this.#running = new Map();
    const { journal, clock } = this.bench.successor({});
    this.bench = setupRemembering({ ...this.#options(), journal, clock });
    await this.bench.engine.recover();
  }

  #options(): SetupOptions {
    const activity: TestTool["activity"] = async ({ user, root, ms }, _, { signal }) => {
      const own = this.#running.get(String(user)) ?? [];
      this.#running.set(String(user), own);
      own.push(String(root));
      if (new Set(own).size > 1) this.together.push([...own]);
      const stopped = new Promise((resolve) => signal.addEventListener("abort", resolve));
      await Promise.race([this.bench.clock.sleep(Number(ms)), stopped]);
      own.splice(own.indexOf(String(root)), 1);
      return 1;
    };
    const tool = { activity, schema: { type: "object" } };
    const once = { ...tool, idempotent: false };
    return { tools: { slow: tool, once, risky: { ...once, requires_confirmation: true } }, delegates: DELEGATES };
  }
}

const INPUT = { root: "†input.root", user: "†input.user", ms: "†input.ms" };
const DELEGATES = [
  {
    name: "careful",
    plan: [
      { _tool: "risky", _id: "ask", ...INPUT, _outputPath: "†state.ask" },
      { _tool: "slow", _id: "then", ...INPUT, after: "†state.ask" },
    ],
  },
  { name: "deep", plan: [{ _tool: "slow", _id: "down", _delegate: "careful", ...INPUT }] },
];

const call = fc.record({
  tool: fc.constantFrom("slow", "once", "risky", "careful", "deep"),
  ms: fc.integer({ min: 1, max: 30 }),
  chained: fc.boolean(),
});
const which = fc.nat(5);
const happening = fc.oneof(
  fc.record({
    what: fc.constant("start" as const),
    user: fc.constantFrom("ann", "bob"),
    calls: fc.array(call, { minLength: 1, maxLength: 3 }),
  }),
  fc.record({
    what: fc.constant("decide" as const),
    which,
    decision: fc.constantFrom("approve" as const, "deny" as const),
  }),
  fc.record({ what: fc.constantFrom("cancel" as const, "resume" as const), which }),
  fc.record({ what: fc.constant("pass" as const), ms: fc.integer({ min: 1, max: 40 }) }),
  fc.record({ what: fc.constant("crash" as const) }),
);
type Happening = typeof happening extends fc.Arbitrary<infer T> ? T : never;

async function happen(world: World, each: Happening): Promise<void> {
  const { bench, asked } = world;
  const { engine, clock } = bench;
  switch (each.what) {
    case "start":
      return world.start(each.user, each.calls);
    case "decide": {
      const { id, run_id } = asked[each.which % asked.length] ?? {};
      if (id && run_id) await engine.decide(id, run_id, { ...words, decision: each.decision }).catch(refused);
      return;
    }
    case "cancel":
    case "resume": {
      const runs = [...bench.session().runs.values()].filter(({ parent_run_id }) => parent_run_id === null);
      const { id } = runs[each.which % runs.length] ?? {};
      if (!id) return;
      const done = each.what === "cancel" ? engine.cancel(id, "operator:x") : engine.resume(id, [], "operator:x");
      return clock.until(done).catch(refused);
    }
    case "pass":
      return clock.until(clock.sleep(each.ms));
    case "crash":
      return world.crash();
    default:
      return each satisfies never;
  }
}

/** What came too late is refused. */
function refused(error: unknown): void {
  if (!(error instanceof Error && "code" in error && error.code === "conflict")) throw error;
}

/** A run of three calls in a row that all ask takes six, and all runs may be of one user. */
const MOST_ROUNDS = 200;

/** Approves whatever is asked until every run has ended. */
async function bringToEnd(world: World): Promise<void> {
  for (let round = 0; round < MOST_ROUNDS && world.open.length > 0; round++) {
    for (const { id, run_id } of world.asked)
      await world.bench.engine.decide(id, run_id ?? "", { ...words, decision: "approve" }).catch(refused);
    await world.bench.clock.until(world.bench.clock.sleep(50));
  }
}

test("M11, P22a, P23: whatever happens, one user's turns never run together, none is left behind, and what is risky starts by an approval of its own", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(happening, { minLength: 1, maxLength: 14 }), async (happenings) => {
      const world = new World();
      for (const each of happenings) await happen(world, each);
      await bringToEnd(world);
      expect(world.open).toEqual([]);
      expect(world.together).toEqual([]);
      expect([...world.logged, ...world.bench.logged]).toEqual([]);
      const starts = world.bench.events("call.started").filter(({ payload }) => payload.tool === "risky");
      const used = starts.map(({ payload }) => payload.confirmation_id ?? "none");
      const approved = world.bench.events("confirmation.approved").map(({ payload }) => payload.confirmation_id);
      expect(used.filter((id) => !approved.includes(id))).toEqual([]);
      expect(new Set(used).size).toBe(used.length);
    }),
    { numRuns: 60 },
  );
});
