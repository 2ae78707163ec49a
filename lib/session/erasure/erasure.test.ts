import { describe, expect, it } from "vitest";
import type { SessionEvent } from "../event.ts";
import { PAYLOADS } from "../events/catalogue.ts";
import { EVENT_KINDS, isEventType } from "../events/kinds.ts";
import { emptySession, fold } from "../reducer/reducer.ts";
import { event } from "../testing/events.ts";
import { fullPayload } from "../testing/full-payloads.ts";
import { eraseEvent, renamesOf } from "./erasure.ts";

const TYPES = Object.keys(EVENT_KINDS).filter(isEventType);
const SECRET = "Kanarienvogel";
const nobody = renamesOf([], "erased-1");

/** Fields that are kept, by type: kinds and names that are not personal, and ids. */
const STAYS = new Set([
  ...["seq", "role", "message_id", "tool_call_id", "call_id", "instance", "iteration", "tool", "confirmation_id"],
  ...[
    "conversation_id",
    "channel",
    "agent_id",
    "key",
    "version",
    "answers",
    "continues",
    "confirm",
    "allowed_tools",
    "agent_version",
    "mode",
  ],
  ...["delegate", "model", "provider", "node", "from", "to", "method", "code", "_tool", "_id", "_instance"],
]);

describe("erasing an event", () => {
  it.each(TYPES)(
    "Security: of %s nothing stays but what is called structure, and it is one of its type still",
    (type) => {
      const told: SessionEvent = {
        ...event(1, type, fullPayload(type, SECRET), { run_id: "r" }),
        actor: `user:${SECRET}`,
      };
      const erased = eraseEvent(told, nobody);
      expect(textsBelow(erased.payload).filter(([field, text]) => text.includes(SECRET) && !STAYS.has(field))).toEqual(
        [],
      );
      expect(PAYLOADS[type].safeParse(erased.payload).error?.issues ?? []).toEqual([]);
      expect(erased.actor).toBe("user:erased");
      expect(erased).toMatchObject({ seq: 1, type, position: told.position, recorded_at: told.recorded_at });
      expect(eraseEvent(erased, nobody)).toEqual(erased);
      expect(fold(emptySession("c"), [erased]).at).toBe(1);
    },
  );

  it("Security: keeps nothing of an unknown type", () => {
    expect(eraseEvent(event(1, "shop.bought", { by: SECRET }), nobody).payload).toEqual({});
  });

  it("Security: removes a name from ids as a whole word, and leaves other words", () => {
    const { id, agent, key } = renamesOf(["telegram:42", "al.ice"], "erased-1");
    expect([id("telegram:42:7"), id("telegram:421:7"), id("run-al.ice-1"), id("malxice")]).toEqual([
      "erased-1:7",
      "telegram:421:7",
      "run-erased-1-1",
      "malxice",
    ]);
    expect([agent("memory:al.ice"), agent("al.ice"), agent("dialog:telegram:42")]).toEqual([
      "memory:erased-1",
      "al.ice",
      "dialog:erased-1",
    ]);
    expect([key("al.ice"), key("user:al.ice/notes"), key("not-al.ice")]).toEqual([
      "erased-1",
      "user:erased-1/notes",
      "not-al.ice",
    ]);
  });

  it("Security: keeps agents, tools and operators as actors, and no other names", () => {
    const actors = ["agent:crm", "tool:mail", "operator:anna", "system", "user:x", "Olga", null];
    expect(actors.map((actor) => eraseEvent(event(1, "log", {}, { actor }), nobody).actor)).toEqual([
      ...["agent:crm", "tool:mail", "operator:anna", "system", "user:erased", "erased", null],
    ]);
  });
});

function textsBelow(value: unknown, field = ""): [field: string, text: string][] {
  if (typeof value === "string") return [[field, value]];
  if (Array.isArray(value)) return value.flatMap((one) => textsBelow(one, field));
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([name, one]) => [["", name] as [string, string], ...textsBelow(one, name)]);
}
