import { describe, expect, test, vi } from "vitest";
import type { ModelPart } from "../../model.ts";
import { directedTurn, inTurn, speaker } from "../../testing/directing.ts";
import { setupRemembering } from "../../testing/remembering.ts";
import { scripted } from "../../testing/scripted.ts";
import { AGENT, echo, type SetupOptions } from "../../testing/setup.ts";

const LONG = "It is warm today, and it will be warm tomorrow.";

/** An engine whose drafts are written down as they come; `null` is a draft's end. */
function bench(options: SetupOptions) {
  const seen: (string | null)[] = [];
  const made = setupRemembering({
    ...options,
    drafts: {
      markers: ["[SECRET]"],
      write: ({ text, agent_id }) => void seen.push(`${agent_id}: ${text}`),
      end: () => void seen.push(null),
    },
  });
  return { made, seen };
}

const turn = {
  ...{ user_id: "ann", agent_id: "crm", conversation_id: "c" },
  turn: { ...AGENT, run_id: "r1", message: { id: "m1", content: "How is it?" } },
};
const says = (text: string) => ({ native: [], text });

describe("C3: an answer can be watched while it comes", () => {
  test("all that was said so far, until the request has ended", async () => {
    const { made, seen } = bench({ model: scripted(says(LONG)).model });
    await made.run(null, turn);
    expect(seen).toEqual([`crm: ${LONG.slice(0, 20)}`, `crm: ${LONG.slice(0, 40)}`, `crm: ${LONG}`, null]);
  });

  test("a long text is looked through a few times for its length, not at each piece of it", async () => {
    // In 5,000 pieces.
    const long = "rain ".repeat(20_000);
    const { made, seen } = bench({ model: scripted(says(long)).model });
    await made.run(null, turn);
    expect(seen.length).toBeLessThan(1_000);
    // What can be watched is never far behind.
    expect(seen.at(-2)?.length).toBeGreaterThan(long.length * 0.99);
    expect(made.events("run.finished")[0]?.payload.output).toHaveLength(long.length);
  });

  test("each request has its own: a remark beside a call, then the answer", async () => {
    const native = [{ call_id: "a", name: "look", arguments: "{}" }];
    const { model } = scripted({ native, text: "I look." }, says("Here it is."));
    const { made, seen } = bench({ model, tools: { look: { activity: echo } } });
    await made.run(null, turn);
    expect(seen).toEqual(["crm: I look.", null, "crm: Here it is.", null]);
  });

  test("P19a, D5: neither plans nor markers, and nothing of runs that answer nobody", async () => {
    const plan = bench({ model: scripted({ calls: [], output: "Done" }).model });
    await plan.made.run(null, turn);
    expect(plan.seen).toEqual([null]);
    const marked = bench({ model: scripted(says("Yes. [SECRET] told")).model });
    await marked.made.run(null, turn);
    expect(marked.seen.findLast((each) => each !== null)).toBe("crm: Yes. ");
    const nobody = bench({ model: scripted({ output: "words" }).model });
    await nobody.made.run(null);
    expect(nobody.seen).toEqual([]);
  });

  test("D1, D4: in the speaker's name and with its prefix; of a silent one nothing", async () => {
    const director = inTurn(speaker("setup", { silent: true }), speaker("demo", { prefix: "[Demo] " }));
    const { made, seen } = bench({ model: scripted(says("A secret"), says("Hello")).model, director });
    await made.run(null, directedTurn());
    expect(seen).toEqual(["demo: [Demo] Hello", null]);
  });

  test("P24: a run that is cancelled in the middle says no more, whatever still comes of its model", async () => {
    const goOn = Promise.withResolvers<void>();
    const over = Promise.withResolvers<void>();
    async function* respond(): AsyncIterable<ModelPart> {
      yield { type: "text", delta: "Once " };
      await goOn.promise;
      yield { type: "text", delta: "upon a time" };
      over.resolve();
      throw new Error("The connection broke");
    }
    const { made, seen } = bench({ model: { model: "m", provider: "p", respond } });
    const id = await made.start(null, turn);
    await vi.waitFor(() => expect(seen).toEqual(["crm: Once "]));
    await made.clock.until(made.engine.cancel(id, "operator:ann"));
    expect(seen).toEqual(["crm: Once ", null]);
    goOn.resolve();
    await over.promise;
    await made.settle(id);
    expect(seen).toEqual(["crm: Once ", null]);
    expect(made.runOf(id).status).toBe("cancelled");
  });
});
