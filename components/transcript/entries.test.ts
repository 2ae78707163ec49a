import { expect, it } from "vitest";
import type { SessionEvent } from "@/lib/session/event.ts";
import type { Json } from "@/lib/session/json/json.ts";
import { entriesOf } from "./entries.ts";

let seq = 0;
const event = (type: string, payload: Json, more: Partial<SessionEvent> = {}): SessionEvent => ({
  id: `e${seq}`,
  conversation_id: "c",
  seq: ++seq,
  position: seq,
  type,
  actor: null,
  agent_id: null,
  run_id: null,
  parent_run_id: null,
  caused_by: null,
  payload,
  occurred_at: null,
  recorded_at: "2026-01-01T00:00:00.000Z",
  ...more,
});

it("C: a transcript names the speakers", () => {
  const said = entriesOf([
    event("message.created", { message_id: "1", role: "user", content: "Hi" }, { actor: "user:anna" }),
    event("message.created", { message_id: "2", role: "assistant", content: "Yes?" }, { agent_id: "crm" }),
    event(
      "message.created",
      { message_id: "3", role: "operator", content: "Me", name: "Boris" },
      { actor: "operator:b" },
    ),
  ]);
  expect(said.map((entry) => entry.kind === "message" && [entry.name, entry.text])).toEqual([
    ["anna", "Hi"],
    ["crm", "Yes?"],
    ["Boris", "Me"],
  ]);
});

it("C: a decision has the request, who decided, and the reason", () => {
  const action = { method: "crm.deal.delete", params: {} };
  const [, decided] = entriesOf([
    event("confirmation.requested", { confirmation_id: "x", key: "k", action, description: "Delete the deal" }),
    event("confirmation.denied", { confirmation_id: "x", reason: "still open" }, { actor: "operator:anna" }),
  ]);
  expect(decided).toMatchObject({ outcome: "denied", what: "Delete the deal", by: "anna", why: "still open" });
  const [closed] = entriesOf([
    event("confirmation.denied", { confirmation_id: "x", reason: "Forked", decided_by: "system" }),
  ]);
  expect(closed).toMatchObject({ outcome: "closed", why: "Forked" });
});

it("C: a call has its tool and result, a failed one its error; other events are left out", () => {
  const told = entriesOf([
    event("call.started", { call_id: "a", tool: "crm.get" }),
    event("call.failed", { call_id: "a", tool: "crm.get", error: { code: "x", message: "no such deal" } }),
    event("weather.changed", {}),
  ]);
  expect(told).toMatchObject([{ kind: "call", outcome: "failed", tool: "crm.get", why: "no such deal" }]);
});
