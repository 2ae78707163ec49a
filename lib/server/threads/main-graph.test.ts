import { pino } from "pino";
import { expect, test } from "vitest";
import { agentIn } from "../../dialog/testing/directed-turns.ts";
import { createMainGraphThread } from "./main-graph.ts";

const beginning = {
  turn: { conversation_id: "c", locale: "en" as const, told: [], parts: [] },
  standing: { stage: null, shown: null },
  state: {
    ...{ message: "Hi", previous_response_id: null, chat_id: "c", stage: null, extracted_info: null },
    ...{ answer: "", manager_alert: null, agent_name: null, used_tools: [], response_id: null },
  },
};

test("D1: the main graph runs and is drawn in its thread, and what a node throws says the same", async () => {
  await using opened = new AsyncDisposableStack();
  const graph = createMainGraphThread(pino({ level: "silent" }));
  opened.defer(() => graph.close());
  const { id, prefix } = agentIn("admin");
  const [end, drawing] = await Promise.all([
    graph.run({ ...beginning, agents: [{ id, prefix, stage: "admin" }] }),
    graph.draw(),
  ]);
  expect(end).toMatchObject({ asked: { stage: "admin", node: "handle_admin" }, answer: "" });
  expect(end.events.map(({ type }) => type)).toEqual([
    ...["stage.entered", "agent_state.written", "stage.changed", "stage.entered"],
  ]);
  expect(drawing.nodes).toContainEqual({ id: "handle_admin" });
  await expect(graph.run({ ...beginning, agents: [] })).rejects.toThrow("no agent has the stage admin");
});
