import { expect, test } from "vitest";
import { readJson } from "@/lib/plan/edit/json-text.ts";
import { type NewEdge, writeEdge } from "./write-reference.ts";

function written(text: string, edge: Partial<NewEdge>): string {
  const found = writeEdge(readJson(text), { writer: 0, reader: 1, parameter: "id", path: null, id: "order", ...edge });
  if (!found) throw new Error("The edge was not written");
  return found.changes
    .toReversed()
    .reduce((all, { from, to, insert }) => all.slice(0, from) + insert + all.slice(to), text);
}

test("C9: a drawn edge adds an output path to the writer and a reference to the reader, and nothing else changes", () => {
  const text = `[
  {
    "_tool":   "orders.get",
    "_id": "order"
  },
  { "_tool": "parcels.trace", "_outputPath": "†state.trace" }
]`;
  expect(written(text, { parameter: "parcel" })).toBe(`[
  {
    "_tool":   "orders.get",
    "_id": "order",
    "_outputPath": "†state.order"
  },
  { "_tool": "parcels.trace", "parcel": "†state.order", "_outputPath": "†state.trace" }
]`);
});

test("C9: an existing output path is kept and read", () => {
  const text = `[{ "_tool": "a", "_outputPath": "†state.a || †state.error" }, { "_tool": "b", "id": 7 }]`;
  expect(written(text, { path: "†state.error" })).toBe(
    `[{ "_tool": "a", "_outputPath": "†state.a || †state.error" }, { "_tool": "b", "id": "†state.error" }]`,
  );
});

test("C9: an edge may go backwards in the text", () => {
  const text = `[{ "_tool": "b" }, { "_tool": "a" }]`;
  expect(written(text, { writer: 1, reader: 0, id: "a#1" })).toBe(
    `[{ "_tool": "b", "id": "†state.a_1" }, { "_tool": "a", "_outputPath": "†state.a_1" }]`,
  );
});

test("C9: the new output path is unique", () => {
  const text = `[{ "_tool": "a", "_id": "order" }, { "_tool": "b", "_outputPath": "†state.order.total" }]`;
  expect(written(text, {})).toContain('"_outputPath": "†state.order_2"');
  const other = `[{ "_tool": "a", "_id": "order" }, { "_tool": "b", "_outputPath": "†state.orders" }]`;
  expect(written(other, {})).toContain('"_outputPath": "†state.order" }');
});

test("C9: null counts as absent and is replaced; no call reads itself", () => {
  const text = `[{ "_tool": "a", "_outputPath": null }, { "_tool": "b", "id": null }]`;
  expect(written(text, {})).toBe(
    `[{ "_tool": "a", "_outputPath": "†state.order" }, { "_tool": "b", "id": "†state.order" }]`,
  );
  expect(writeEdge(readJson(text), { writer: 1, reader: 1, parameter: "id", path: null, id: "b" })).toBeNull();
});
