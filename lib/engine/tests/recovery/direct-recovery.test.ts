import { expect, test } from "vitest";
import type { ModelPart, ModelRequest } from "../../model.ts";
import { directedTurn, speaker } from "../../testing/directing.ts";
import { MemoryJournal } from "../../testing/memory-journal.ts";
import { setupRemembering } from "../../testing/remembering.ts";
import { streamed } from "../../testing/scripted.ts";
import { type Bench, echo, type SetupOptions } from "../../testing/setup.ts";
import type { DirectedTurn, Direction, Director } from "../../turn.ts";

/** Answers each agent by what it has been told so far, however often it is asked. */
async function* respond({ instructions, input }: ModelRequest): AsyncIterable<ModelPart> {
  const text = JSON.stringify(input);
  const native = (name: string, args: object) => ({ call_id: name, name, arguments: JSON.stringify(args) });
  if (instructions?.includes("You are setup.")) {
    yield* streamed(text.includes("bad_answer") ? "a florist" : "no JSON");
  } else if (instructions?.includes("You are demo.")) {
    const hasLooked = text.includes("function_call_output");
    yield* streamed(hasLooked ? "Roses!" : "Let me look", hasLooked ? [] : [native("peek", { value: 1 })]);
  } else yield* streamed("One moment", [native("hand", { value: 1 }), native("look", { value: 2 })]);
}

/** Admin hands over, setup is asked twice, demo answers: each node told once, and what it decides stored. */
class Demonstration implements Director {
  readonly asked: DirectedTurn[] = [];

  async next(turn: DirectedTurn): Promise<Direction> {
    this.asked.push(turn);
    const { parts, told } = turn;
    const enter = (node: string, ...changes: Direction["events"]): Direction["events"] =>
      told.some((each) => each.node === node)
        ? []
        : [{ type: "stage.entered", payload: { node, state: { parts: parts.length } } }, ...changes];
    const write = (key: string, value: string): Direction["events"][number] => ({
      type: "agent_state.written",
      payload: { agent_id: "dialog:c", key, value },
    });
    if (parts.length === 0)
      return {
        ...{ kind: "ask", events: enter("handle_admin", write("stage", "admin")) },
        speaker: speaker("admin", { tools: ["hand", "look"] }),
      };
    if (parts.length < 3) {
      const note = parts.length === 1 ? null : "It is no JSON";
      return {
        ...{ kind: "ask", events: enter("handle_demo", write("stage", "demo")) },
        speaker: speaker("setup", { node: "handle_demo", silent: true, note }),
      };
    }
    if (parts.length === 3)
      return {
        ...{ kind: "ask", events: [write("configuration", parts[2]?.answer ?? "")] },
        speaker: speaker("demo", { tools: ["peek"], prefix: "[Demo] ", max_iterations: 2 }),
      };
    return { kind: "answer", text: `[Demo] ${parts[3]?.answer}`, events: enter("END") };
  }
}

const options: SetupOptions = {
  model: { model: "m", provider: "p", respond },
  tools: { hand: { activity: echo, control: "hand_over" }, look: { activity: echo }, peek: { activity: echo } },
};

/** What a turn comes to, without what only tells how it got there. */
function endOf(made: Bench) {
  const ofRun = made.journal.events.filter(({ run_id }) => run_id === "r1");
  return {
    status: made.runOf("r1").status,
    said: made.session().messages.map(({ role, content }) => `${role}: ${content}`),
    stages: made.events("stage.entered").map(({ payload }) => payload),
    stored: made
      .events("agent_state.written")
      .map(({ payload }) => [payload.key, payload.value])
      .filter(([key]) => key !== "response_id"),
    spoke: made.events("run.iteration").map(({ payload }) => [payload.iteration, payload.speaker?.agent_id ?? null]),
    calls: made.statuses("r1"),
    by: ofRun.filter(({ type }) => type === "call.succeeded").map(({ agent_id }) => agent_id),
    warnings: made.session().warnings.filter(({ code }) => code !== "self_check"),
  };
}

async function playUntil(death: number): Promise<{ made: Bench; parts: DirectedTurn["parts"] }> {
  const journal = new MemoryJournal();
  journal.crashAfter(death);
  const first = setupRemembering({ ...options, journal, director: new Demonstration() });
  await first.run(null, directedTurn()).catch((error: unknown) => {
    if (!journal.hasCrashed) throw error;
  });
  const director = new Demonstration();
  const left = new MemoryJournal(first.journal.events, first.journal.documents);
  const made = setupRemembering({ ...options, director, journal: left, clock: first.clock });
  const [open] = await made.journal.open();
  await made.clock.until(made.engine.recover());
  if (open) await made.settle(open.run_id);
  return { made, parts: director.asked.at(-1)?.parts ?? [] };
}

test("P23, D6: a directed turn whose process dies anywhere on the way comes to the same end", async () => {
  const journal = new MemoryJournal();
  const director = new Demonstration();
  const whole = setupRemembering({ ...options, journal, director });
  await whole.run(null, directedTurn());
  const end = endOf(whole);
  expect(end).toMatchObject({
    status: "finished",
    said: ["user: say 1", "assistant: One moment", "assistant: [Demo] Let me look", "assistant: [Demo] Roses!"],
    stored: [
      ["stage", "admin"],
      ["stage", "demo"],
      ["configuration", "a florist"],
    ],
    spoke: [
      [1, "admin"],
      [2, "setup"],
      [3, "setup"],
      [4, "demo"],
      [5, null],
    ],
    by: ["admin", "admin", "demo"],
    warnings: [],
  });
  const parts = director.asked.at(-1)?.parts ?? [];
  expect(parts.map(({ answer }) => answer)).toEqual([null, "no JSON", "a florist", "Roses!"]);
  const deaths = new Set<string>();
  let begun = 0;
  for (const [index, count] of whole.journal.batches.entries()) {
    begun += count;
    if (begun === whole.journal.events.length) break;
    const after = await playUntil(begun);
    expect(endOf(after.made), `after ${begun} events, ${index + 1} batches`).toEqual(end);
    // The same is made of the turn so far in the process that it began in, and in the next.
    expect(after.parts, `after ${begun} events`).toEqual(parts);
    expect(after.made.logged).toEqual([]);
    deaths.add(whole.types[begun - 1] ?? "");
  }
  // Before the director was asked first, between its direction and the request, and at a part's end.
  expect([...deaths]).toEqual(expect.arrayContaining(["memory.updated", "run.iteration", "model.requested"]));
});
