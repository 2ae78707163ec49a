import { readFileSync } from "node:fs";
import fc from "fast-check";
import type { Json, JsonObject } from "../../session/json/json.ts";
import type { Action, Effect, Happening } from "../actions/happening.ts";
import { emptyDocument, type MemoryDocument, readDocument } from "../document.ts";
import { update } from "../update.ts";

/** The file of the demo data, byte for byte. */
export const EXAMPLE_FILE = readFileSync(new URL("example.json", import.meta.url), "utf8");

export const EXAMPLE = documentOf(JSON.parse(EXAMPLE_FILE));

/** A valid document; throws otherwise. */
export function documentOf(value: Json): MemoryDocument {
  const read = readDocument(value);
  if (!read.ok) throw new Error(JSON.stringify(read.faults));
  return read.document;
}

/** An empty document with these keys. */
export function document(keys: JsonObject = {}): MemoryDocument {
  return documentOf({ ...emptyDocument(), ...keys });
}

export const AT = "2026-11-20T09:00:00Z";
export const LATER = "2026-11-20T10:00:00Z";

/** A successful call. */
export function carriedOut(method: string, params: JsonObject, result: Json, effect: Effect = "read"): Happening {
  return { type: "carried_out", action: { method, params }, result, effect, at: AT };
}

/** An empty document after these events, in Russian. */
export function happened(...happenings: Happening[]): MemoryDocument {
  return happenings.reduce((before, happening) => update(before, happening, "ru"), document());
}

/** Unknown keys in a document. */
const unknownKeys: fc.Arbitrary<JsonObject> = fc.dictionary(
  fc
    .oneof(fc.constantFrom("__proto__", "toString", "0", "ключ"), fc.string())
    .map((key) => (key === "__proto__" ? key : `?${key}`)),
  fc.jsonValue().map(asJson),
  { maxKeys: 2 },
);

function asJson(value: unknown): Json {
  return JSON.parse(JSON.stringify(value));
}

function withUnknown(known: fc.Arbitrary<JsonObject>): fc.Arbitrary<JsonObject> {
  return fc.tuple(unknownKeys, known, unknownKeys).map(([before, keys, after]) => ({ ...before, ...keys, ...after }));
}

const time = fc.constantFrom(AT, LATER, "2024-05-01T10:00:00Z", "2024-05-01T10:00:00.123Z");
const words = fc.oneof(fc.string({ unit: "grapheme" }), fc.constantFrom("Создать сделку", "Call 👩‍👩‍👧", ""));
const id = fc.option(fc.oneof(fc.integer({ min: 1 }), fc.string()));

/** Few values, so that they repeat. */
const actionParts = fc.constantFrom<Action>(
  { method: "crm.deal.get", params: { id: 123 } },
  { method: "crm.deal.list", params: {} },
  { method: "crm.deal.add", params: { fields: { TITLE: "Серверы" } } },
  { method: "crm.deal.update", params: { id: 123, fields: { OPPORTUNITY: 100_000 } } },
  { method: "tasks.task.update", params: { taskId: 456, fields: { DEADLINE: "2024-05-05" } } },
  { method: "event.get", params: {} },
  { method: "event.bind", params: { event: "onCrmDealAdd", handler: "https://example.test/hook" } },
  { method: "event.unbind", params: { event: "ONCRMDEALADD", handler: "https://example.test/hook" } },
  { method: "batch", params: { cmd: { deal: "crm.deal.get?id=5", tasks: "tasks.task.list" } } },
  { method: "memory.goals.add", params: { goal: "Создать сделку" } },
  { method: "memory.goals.close", params: { goal: "Создать сделку" } },
  { method: "issueRefund", params: { order: "A-17" } },
);
const key = fc.constantFrom("deal_123_opportunity", "task_456_deadline", "__proto__", "toString");
const description = fc.constantFrom("Изменить сумму сделки 123 до 100000", "Move the deadline");

const action = withUnknown(
  fc.tuple(actionParts, fc.boolean()).map(([{ method, params }, asks]) => ({
    method,
    params,
    ...(asks && { requires_confirmation: true }),
  })),
);

const confirmation = withUnknown(
  fc.record({
    status: fc.constantFrom("requested", "approved", "denied"),
    requested_at: time,
    description,
    action,
  }),
);

/** Any document, with unknown keys at every level. */
export const anyDocument: fc.Arbitrary<MemoryDocument> = withUnknown(
  fc.record({
    goals: fc.array(words, { maxLength: 3 }),
    done: fc.array(withUnknown(fc.record({ timestamp: time, description: words, object_ids: unknownKeys })), {
      maxLength: 7,
    }),
    in_progress: fc.array(
      withUnknown(fc.record({ description: fc.option(fc.oneof(words, description)), requested_at: time })),
      {
        maxLength: 3,
      },
    ),
    objects: withUnknown(
      fc.record({ current_deal_id: id, current_contact_id: id, current_company_id: id, current_task_id: id }),
    ),
    next_planned_actions: fc.array(action, { maxLength: 3 }),
    confirmations: fc.dictionary(key, confirmation, { maxKeys: 7 }),
    event_bindings: fc.array(
      withUnknown(fc.constant({ event: "onCrmDealAdd", handler: "https://example.test/hook" })),
      { maxLength: 2 },
    ),
  }),
).map((value) => documentOf(value));

/** Any event of a tool. */
export const anyHappening: fc.Arbitrary<Happening> = fc.oneof(
  fc.record({
    type: fc.constant("carried_out" as const),
    action: actionParts,
    result: fc.oneof(
      fc.jsonValue().map(asJson),
      fc.constantFrom<Json>(
        { ID: "123", CONTACT_ID: "7", COMPANY_ID: "0" },
        { items: [{ ID: "1" }], total: 17 },
        [{ event: "ONCRMDEALADD", handler: "https://example.test/hook" }],
        { result: { deal: { ID: "5" }, tasks: { tasks: [] } }, result_total: { tasks: 3 } },
        57,
      ),
    ),
    effect: fc.constantFrom<Effect>("none", "read", "create", "change"),
    at: time,
  }),
  fc.record({ type: fc.constantFrom("failed" as const, "planned" as const), action: actionParts, at: time }),
  fc.record({ type: fc.constant("requested" as const), key, action: actionParts, description, at: time }),
  fc.record({ type: fc.constant("approved" as const), key, action: actionParts, at: time }),
  fc.record({ type: fc.constant("denied" as const), key, action: actionParts, reason: words, at: time }),
);
