import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { Json, JsonObject } from "../../session/json/json.ts";
import { readCalls } from "../call.ts";
import { type Reference, valueAt } from "../reference.ts";
import type { Ending } from "./ending.ts";
import { prepare } from "./prepare.ts";
import { Progress } from "./progress.ts";

/** A plan under way: what is written becomes present, and turns are told by call and verdict. */
function begin(plan: JsonObject[], given: JsonObject = {}) {
  const state: JsonObject = structuredClone(given);
  const read = ({ kind, path }: Reference): Json | undefined => (kind === "state" ? valueAt(state, path) : undefined);
  const prepared = prepare(readCalls(plan), (reference) => read(reference) !== undefined);
  const progress = new Progress(prepared, read);
  return {
    progress,
    take: () => progress.take().map(({ call, verdict }) => `${call.id} ${verdict}`),
    reasons: () => progress.take().map(({ reason }) => reason),
    end(call: string, ending: Ending, written: JsonObject = {}) {
      Object.assign(state, written);
      progress.end(call, ending);
    },
  };
}

function call(id: string, reads: string[], output?: string): JsonObject {
  return { _tool: "t", _id: id, reads, ...(output !== undefined && { _outputPath: output }) };
}

describe("P4: a call starts when all that it needs is settled and present", () => {
  test("what waits for nothing comes first, a reader after its writer", () => {
    const { take, end } = begin([call("b", ["†state.a"]), call("a", [], "†state.a")]);
    expect(take()).toEqual(["a ready"]);
    expect(take()).toEqual([]);
    end("a", "done", { a: 1 });
    expect(take()).toEqual(["b ready"]);
  });

  test.each([[null], [false], [0], [""]])("%j is present", (value) => {
    expect(begin([call("a", ["†state.x"])], { x: value }).take()).toEqual(["a ready"]);
  });

  test("a reader of a whole waits for the writers of its parts, and the reverse", () => {
    const parts = begin([
      call("name", [], "†state.user.name"),
      call("age", [], "†state.user.age"),
      call("r", ["†state.user"]),
    ]);
    parts.take();
    parts.end("name", "done", { user: { name: "Ada" } });
    expect(parts.take()).toEqual([]);
    parts.end("age", "done", { user: { name: "Ada", age: 36 } });
    expect(parts.take()).toEqual(["r ready"]);
    const whole = begin([call("user", [], "†state.user"), call("r", ["†state.user.name"])]);
    whole.take();
    whole.end("user", "done", { user: { name: "Ada" } });
    expect(whole.take()).toEqual(["r ready"]);
  });

  test("what was there before is not settled while a part of it is still to be written", () => {
    const { take, end } = begin([call("age", [], "†state.user.age"), call("r", ["†state.user"])], {
      user: { name: "Ada" },
    });
    expect(take()).toEqual(["age ready"]);
    end("age", "done", { user: { name: "Ada", age: 36 } });
    expect(take()).toEqual(["r ready"]);
  });
});

describe("P5: alternatives are decided in their order, not by timing", () => {
  const plan = [call("a", [], "†state.a"), call("b", [], "†state.b"), call("r", ["†state.a || †state.b"])];

  test("the second is not read while the first may come", () => {
    const { take, end } = begin(plan);
    take();
    end("b", "done", { b: 2 });
    expect(take()).toEqual([]);
    end("a", "skipped");
    expect(take()).toEqual(["r ready"]);
  });

  test("the first is read without waiting for the second", () => {
    const { take, end } = begin(plan);
    take();
    end("a", "done", { a: 1 });
    expect(take()).toEqual(["r ready"]);
  });
});

describe("P6: a gate is ready when all are", () => {
  const plan = [call("a", [], "†state.a"), call("b", [], "†state.b"), call("c", [], "†state.c")];

  test("it waits for its last member", () => {
    const { take, end } = begin([...plan, call("r", ["†state.a && †state.b"])]);
    take();
    end("a", "done", { a: 1 });
    expect(take()).toEqual([]);
    end("b", "done", { b: 1 });
    expect(take()).toEqual(["r ready"]);
  });

  test("it cannot arrive when one of them cannot, so the next alternative is read", () => {
    const { take, end } = begin([...plan, call("r", ["†state.a && †state.b || †state.c"])]);
    take();
    end("a", "skipped");
    end("c", "done", { c: 1 });
    expect(take()).toEqual(["r ready"]);
  });
});

describe("P21: a call that can never start", () => {
  test("is skipped when its branch was not taken, blocked when a writer was lost; so are those behind it", () => {
    const plan = [call("a", [], "†state.a"), call("b", ["†state.a"], "†state.b"), call("c", ["†state.b"])];
    const skipped = begin(plan);
    skipped.take();
    skipped.end("a", "skipped");
    expect(skipped.take()).toEqual(["b skipped"]);
    skipped.end("b", "skipped");
    expect(skipped.reasons()).toEqual(["It needs †state.b, a branch that was not taken"]);
    const planned = begin(plan);
    planned.take();
    planned.end("a", "planned");
    expect(planned.reasons()).toEqual(["It needs †state.a, which a has only planned"]);
    const lacking = begin([call("a", [], "†state.a"), call("b", ["†state.a.note"])]);
    lacking.take();
    lacking.end("a", "done", { a: {} });
    expect(lacking.reasons()).toEqual(["It needs †state.a.note, which a did not produce"]);
    const blocked = begin(plan);
    blocked.take();
    blocked.end("a", "lost");
    expect(blocked.take()).toEqual(["b blocked"]);
    blocked.end("b", "lost");
    expect(blocked.reasons()).toEqual(["It needs †state.b, which b did not produce"]);
  });

  test.each([
    ["a", "b"],
    ["b", "a"],
  ])("is blocked whichever writer ended first: %s", (first, second) => {
    const endings: Record<string, Ending> = { a: "skipped", b: "lost" };
    const { take, end } = begin([
      call("a", [], "†state.a"),
      call("b", [], "†state.b"),
      call("r", ["†state.a && †state.b"]),
    ]);
    take();
    for (const id of [first, second]) end(id, endings[id] ?? "done");
    expect(take()).toEqual(["r blocked"]);
  });
});

describe("P12: writers of overlapping paths run one after another", () => {
  test("ancestors before descendants, then in plan order", () => {
    const { take, end } = begin([
      call("part", [], "†state.user.name"),
      call("second", [], "†state.x"),
      call("whole", [], "†state.user"),
      call("third", [], "†state.x"),
    ]);
    expect(take()).toEqual(["second ready", "whole ready"]);
    end("whole", "done", { user: {} });
    expect(take()).toEqual(["part ready"]);
    end("second", "skipped");
    expect(take()).toEqual(["third ready"]);
  });

  test("a call that ends without running waits for those before it, so that the next one does, too", () => {
    const { take, end } = begin([
      call("gone", [], "†state.gone"),
      call("a", [], "†state.x"),
      call("b", ["†state.gone"], "†state.x"),
      call("c", [], "†state.x"),
    ]);
    take();
    end("gone", "skipped");
    expect(take()).toEqual([]);
    end("a", "done", { x: 1 });
    expect(take()).toEqual(["b skipped"]);
    end("b", "skipped");
    expect(take()).toEqual(["c ready"]);
  });

  test("P16: branches that rejoin on one path do not wait for each other", () => {
    const { take, end } = begin([
      call("weather", [], "†state.sun || †state.rain"),
      call("walk", ["†state.sun"], "†state.plan"),
      call("cinema", ["†state.rain"], "†state.plan"),
      call("tell", ["†state.plan"]),
    ]);
    take();
    end("weather", "done", { rain: true });
    expect(take()).toEqual(["walk skipped", "cinema ready"]);
    end("walk", "skipped");
    end("cinema", "done", { plan: "a film" });
    expect(take()).toEqual(["tell ready"]);
  });
});

describe("P24: calls that are planned again", () => {
  test("have their turns again, and nobody else", () => {
    const { take, end, progress } = begin([
      call("other", [], "†state.other"),
      call("a", [], "†state.a"),
      call("b", ["†state.a"], "†state.b"),
      call("c", ["†state.b"]),
    ]);
    take();
    end("other", "done", { other: 1 });
    end("a", "lost");
    take();
    end("b", "lost");
    take();
    end("c", "lost");
    expect(progress.open).toBe(0);
    progress.planAgain(["a", "b", "c"]);
    expect(progress.open).toBe(3);
    expect(take()).toEqual(["a ready"]);
    end("a", "done", { a: 1 });
    expect(take()).toEqual(["b ready"]);
  });

  test("a turn that had come by their end, and was not taken, waits for them once more", () => {
    const { progress, take, end } = begin([call("a", [], "†state.a"), call("b", ["†state.a"])]);
    take();
    end("a", "lost");
    progress.planAgain(["a"]);
    expect(take()).toEqual(["a ready"]);
    end("a", "done", { a: 1 });
    expect(take()).toEqual(["b ready"]);
  });
});

test("P4–P6, P12, P21: verdicts do not depend on the order in which calls end", () => {
  const path = fc.constantFrom("a", "b", "c", "d", "d.e");
  const reference = path.map((name) => `†state.${name}`);
  const expression = fc
    .array(fc.array(reference, { minLength: 1, maxLength: 2 }), { minLength: 1, maxLength: 2 })
    .map((gates) => gates.map((gate) => gate.join(" && ")).join(" || "));
  const planned = fc.array(
    fc.record({
      reads: fc.array(expression, { maxLength: 2 }),
      writes: fc.option(path),
      ending: fc.constantFrom<Ending>("done", "lost"),
    }),
    { minLength: 2, maxLength: 12 },
  );
  fc.assert(
    fc.property(planned, fc.infiniteStream(fc.nat()), (calls, choices) => {
      const plan = calls.map(({ reads, writes }, index) =>
        call(`c${index}`, reads, writes === null ? undefined : `†state.${writes}`),
      );
      const run = (choose: () => number) => {
        const verdicts = new Map<string, string>();
        const { progress, end } = begin(plan);
        const running: string[] = [];
        for (;;) {
          for (const {
            call: { id },
            verdict,
          } of progress.take()) {
            verdicts.set(id, verdict);
            running.push(id);
          }
          const [id] = running.splice(choose() % Math.max(1, running.length), 1);
          if (id === undefined) return [...verdicts].sort().map(String);
          const verdict = verdicts.get(id);
          const index = Number(id.slice(1));
          const ending = calls[index]?.ending ?? "done";
          const writes = calls[index]?.writes ?? null;
          if (verdict === "skipped") end(id, "skipped");
          else if (verdict === "blocked" || ending === "lost") end(id, "lost");
          else end(id, "done", writes === null ? {} : { [writes === "d.e" ? "d" : writes]: { e: id } });
        }
      };
      expect(run(() => choices.next().value)).toEqual(run(() => 0));
    }),
  );
});
