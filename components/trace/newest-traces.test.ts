import { describe, expect, it } from "vitest";
import { event } from "@/lib/session/testing/events.ts";
import { newestTraces } from "./newest-traces.ts";

const written = (seq: number, agent_id: string, value: Parameters<typeof event>[2]) =>
  event(seq, "agent_state.written", { agent_id, key: "last_trace", value });
const trace = (...phases: string[]) => ({ steps: phases.map((phase) => ({ phase, content: phase })) });

describe("C6: the traces of a session", () => {
  it("has the newest of each agent and key, newest first", () => {
    const events = [
      written(1, "a", trace("reasoning")),
      written(2, "b", trace("reasoning")),
      written(3, "a", trace("reasoning", "action")),
    ];
    expect(newestTraces(events).map(({ agent, step, trace: { steps } }) => [agent, step, steps.length])).toEqual([
      ["a", 3, 2],
      ["b", 2, 1],
    ]);
  });

  it("leaves out values that are no trace, also when they replaced one", () => {
    expect(newestTraces([written(1, "a", trace("reasoning")), written(2, "a", { cleared: true })])).toEqual([]);
  });
});
