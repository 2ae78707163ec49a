import { expect, test } from "vitest";
import type { SessionEvent } from "../../session/event.ts";
import type { JsonObject } from "../../session/json/json.ts";
import { ResponseWriter } from "./response-writer.ts";

let seq = 0;
function event(type: string, payload: JsonObject, runId = "r", parent: string | null = null): SessionEvent {
  seq += 1;
  return {
    ...{ id: `e${seq}`, conversation_id: "c", seq, position: seq, type, actor: null, agent_id: "a" },
    ...{ run_id: runId, parent_run_id: parent, caused_by: null, payload },
    ...{ occurred_at: null, recorded_at: "2026-01-01T00:00:00.000Z" },
  };
}

function writer(): ResponseWriter {
  return new ResponseWriter({
    ...{ id: "resp_1", createdAt: 0, agentId: "a", conversationId: "c", runId: "r", echoed: {} },
    tools: new Set(["look"]),
  });
}

const responded = (tokens: number, ...place: [string?, string?]) =>
  event("model.responded", { model: "m", provider: "p", input_tokens: tokens, output_tokens: 1 }, ...place);
const asking = (id: string, runId: string) =>
  event("confirmation.requested", { confirmation_id: id, key: id, action: { method: "pay", params: {} } }, runId);

test("tokens of delegates' runs count, those of other runs of the conversation do not", () => {
  const made = writer();
  for (const each of [
    responded(10),
    responded(5, "child", "r"),
    responded(2, "grandchild", "child"),
    responded(100, "x"),
  ])
    made.event(each);
  made.event(event("run.finished", {}));
  expect(made.response().usage).toMatchObject({ input_tokens: 17, output_tokens: 3 });
});

test("it waits for its own approvals only", () => {
  const made = writer();
  made.event(asking("other", "x"));
  made.event(event("call.started", { call_id: "1", tool: "look", params: {} }));
  made.event(event("run.waiting", {}));
  expect(made.response()).toMatchObject({ status: "completed", output: [{ type: "function_call", call_id: "1" }] });
});

test("an approval leaves it incomplete, until it is decided", () => {
  const made = writer();
  made.event(asking("own", "r"));
  made.event(event("run.waiting", {}));
  expect(made.response()).toMatchObject({
    status: "incomplete",
    incomplete_details: { reason: "approval_required", confirmations: ["own"] },
  });
  made.event(event("confirmation.approved", { confirmation_id: "own" }));
  made.event(event("run.resumed", {}));
  expect(made.response()).toMatchObject({ status: "in_progress", incomplete_details: null });
});

test("what is streamed and what is recorded are one item, whose events are numbered", () => {
  const made = writer();
  const draft = { text: "Hel" };
  const frames = [made.begin(), made.draft(draft), made.event(event("message.created", said("Hello"))), made.end()];
  const events = frames
    .join("")
    .split("\n\n")
    .flatMap((frame) => (frame === "" ? [] : [JSON.parse(frame.slice(frame.indexOf("data: ") + 6))]));
  expect(events.map(({ sequence_number }) => sequence_number)).toEqual(events.map((_, index) => index));
  expect(events.flatMap(({ delta }) => delta ?? [])).toEqual(["Hel", "lo"]);
  expect(made.response().output).toMatchObject([{ status: "completed", content: [{ text: "Hello" }] }]);
});

function said(content: string): JsonObject {
  return { message_id: "m", role: "assistant", content };
}
