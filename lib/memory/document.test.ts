import { expect, test } from "vitest";
import { emptyDocument, readDocument } from "./document.ts";
import { EXAMPLE_FILE } from "./testing/documents.ts";

const example = () => JSON.parse(EXAMPLE_FILE);

function faultsOf(value: unknown): string[] {
  const read = readDocument(JSON.parse(JSON.stringify(value)));
  return read.ok ? [] : read.faults.map(({ path, message }) => `${path} ${message}`);
}

test("M2: the example is valid, and so is the empty document", () => {
  expect(readDocument(example())).toEqual({ ok: true, document: example() });
  expect(readDocument(emptyDocument())).toEqual({ ok: true, document: emptyDocument() });
  expect(emptyDocument()).toEqual({
    goals: [],
    done: [],
    in_progress: [],
    objects: { current_deal_id: null, current_contact_id: null, current_company_id: null, current_task_id: null },
    next_planned_actions: [],
    confirmations: {},
    event_bindings: [],
  });
});

test("M2: unknown keys are kept at every level, in place", () => {
  const value = example();
  const known = { ...value, mood: "good" };
  known.done[0] = { by: "anna", ...known.done[0] };
  known.objects.current_lead_id = 5;
  known.confirmations.task_456_deadline.action.note = { deep: [1] };
  const text = `{"__proto__": 1, ${JSON.stringify(known).slice(1)}`;
  const read = readDocument(JSON.parse(text));
  expect(read.ok && JSON.stringify(read.document)).toBe(JSON.stringify(JSON.parse(text)));
  expect(JSON.stringify(read)).toContain('"__proto__":1');
});

test("M2: invalid values and missing keys are refused with their place", () => {
  const value = example();
  value.done[0].description = 5;
  value.objects.current_deal_id = {};
  value.confirmations["a/b"] = { ...value.confirmations.task_456_deadline, status: "maybe" };
  delete value.goals;
  expect(faultsOf(value)).toEqual([
    "/goals is required",
    "/done/0/description must be a string",
    "/objects/current_deal_id must be an id or null",
    '/confirmations/a~1b/status must be one of "requested", "approved", "denied"',
  ]);
  expect(faultsOf([])).toEqual([" must be an object"]);
});

test("M13: every error has a code, for translations", () => {
  const value = example();
  const { task_456_deadline: asked } = value.confirmations;
  value.goals = {};
  value.done = [[]];
  value.in_progress = [{ description: 5, requested_at: "today" }];
  value.objects.current_deal_id = {};
  value.next_planned_actions = [
    { method: "", params: {}, requires_confirmation: "yes" },
    { method: "a", params: {}, confirmation_decision: "maybe" },
  ];
  value.confirmations = { one: { ...asked, status: "maybe" }, two: { ...asked, status: undefined } };
  const read = readDocument(JSON.parse(JSON.stringify(value)));
  expect(read.ok ? [] : read.faults.map(({ path, code }) => [path, code])).toEqual([
    ["/goals", "list"],
    ["/done/0", "record"],
    ["/in_progress/0/description", "text"],
    ["/in_progress/0/requested_at", "time"],
    ["/objects/current_deal_id", "id"],
    ["/next_planned_actions/0/method", "empty"],
    ["/next_planned_actions/0/requires_confirmation", "flag"],
    ["/next_planned_actions/1/confirmation_decision", "decision"],
    ["/confirmations/one/status", "status"],
    ["/confirmations/two/status", "missing"],
  ]);
});

test("M2: ids may be strings, and missing values null", () => {
  const value = example();
  value.objects.current_deal_id = "D-5";
  value.in_progress.push(
    { description: null, requested_at: "2024-05-01T10:05:00Z" },
    { requested_at: "2024-05-01T10:05:00Z" },
  );
  value.confirmations.task_456_deadline.approved_at = null;
  expect(faultsOf(value)).toEqual([]);
});

test("M3: times are in UTC with Z", () => {
  const at = (timestamp: string) => faultsOf({ ...example(), done: [{ timestamp, description: "", object_ids: {} }] });
  expect(at("2024-05-01T10:00:00.5Z")).toEqual([]);
  for (const wrong of ["2024-05-01", "2024-05-01T10:00:00", "2024-05-01T10:00:00+00:00", "2024-02-30T10:00:00Z"])
    expect(at(wrong)).toEqual(["/done/0/timestamp must be a time in UTC such as 2024-05-01T10:00:00Z"]);
});
