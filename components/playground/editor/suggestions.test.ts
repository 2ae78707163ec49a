import { describe, expect, test } from "vitest";
import { readJson } from "@/lib/plan/edit/json-text.ts";
import type { JsonObject } from "@/lib/session/json/json.ts";
import { createCallsReader } from "../read-calls.ts";
import { knownPaths } from "./known-paths.ts";
import { suggest } from "./suggestions.ts";
import { knownTools, type ListedTool } from "./toolbox.ts";

const ORDER: JsonObject = {
  type: "object",
  properties: { id: { type: "string" }, total: { type: "number" } },
};
const TOOLS: ListedTool[] = [
  {
    name: "orders.get",
    description: "Reads an order",
    schema: {
      type: "object",
      properties: { number: { type: "string", description: "Its number" }, _output: ORDER },
      required: ["number"],
    },
    requires_confirmation: false,
    latent: false,
  },
  {
    name: "mail.send",
    description: "",
    schema: {
      type: "object",
      properties: { to: { type: "string", enum: ["buyer", "seller"] }, sum: { type: "number" } },
    },
    requires_confirmation: false,
    latent: false,
  },
];
const CONTEXT: JsonObject[] = [
  { type: "input", input: { order: "1842" } },
  { type: "data", kind: "memory", data: { goals: [] } },
];
const CALLS: JsonObject[] = [
  { _tool: "orders.get", _id: "order", _outputPath: "†state.order" },
  { _tool: "mail.send", _id: "mail", _outputPath: "†state.mail" },
];

/** The suggestions at `|`, and the text with one of them accepted. */
function suggested(text: string, taken?: string): { labels: string[]; text: string } {
  const known = knownTools(TOOLS, [], []);
  const paths = knownPaths(createCallsReader()(CALLS, known), CONTEXT, known);
  const position = text.indexOf("|");
  const bare = text.replace("|", "");
  const found = suggest(readJson(bare), position, {
    ...known,
    paths: () => paths,
    kinds: ["input", "memory"],
    instances: [],
  });
  const item = found?.items.find(({ label }) => label === taken);
  const result = found && item ? bare.slice(0, found.replace.from) + item.insert + bare.slice(found.replace.to) : bare;
  return { labels: found?.items.map(({ label }) => label) ?? [], text: result };
}

describe("C9: completion", () => {
  test("suggests tools", () => {
    expect(suggested('[{ "_tool": "|" }]').labels).toEqual(["orders.get", "mail.send"]);
    expect(suggested('[{ "_tool": "or|" }]', "orders.get").text).toBe('[{ "_tool": "orders.get" }]');
  });

  test("suggests the tool's parameters first, then meta-properties, without existing ones", () => {
    const { labels } = suggested('[{ "_tool": "orders.get", "_id": "x", "|" }]');
    expect(labels[0]).toBe("number");
    expect(labels).toContain("_outputPath");
    expect(labels).not.toContain("_id");
    expect(labels).not.toContain("_output_");
  });

  test("inserts a name with its value, with or without existing quotes", () => {
    expect(suggested('[{ "_tool": "orders.get", "|" }]', "number").text).toBe(
      '[{ "_tool": "orders.get", "number": "" }]',
    );
    expect(suggested('[{ "_tool": "orders.get", num| }]', "number").text).toBe(
      '[{ "_tool": "orders.get", "number": "" }]',
    );
  });

  test("replaces only the name of a property that has a value", () => {
    expect(suggested('[{ "_tool": "orders.get", "nu|": "1842" }]', "number").text).toBe(
      '[{ "_tool": "orders.get", "number": "1842" }]',
    );
  });

  test("suggests references: results of other calls with their parts, and kinds of the context", () => {
    const { labels } = suggested('[{ "_tool": "mail.send", "_id": "mail", "sum": "†|" }]');
    expect(labels).toEqual(
      expect.arrayContaining(["†state.order", "†state.order.total", "†input.order", "†memory.goals"]),
    );
    expect(labels).not.toContain("†state.mail");
  });

  test("completes the reference at the cursor and keeps the rest of the expression", () => {
    const { text } = suggested('[{ "_tool": "mail.send", "sum": "†state.or| || †input.order" }]', "†state.order.total");
    expect(text).toBe('[{ "_tool": "mail.send", "sum": "†state.order.total || †input.order" }]');
  });

  test("suggests the values of an enum", () => {
    expect(suggested('[{ "_tool": "mail.send", "to": "|" }]').labels.slice(0, 2)).toEqual(["buyer", "seller"]);
  });

  test("suggests paths that are read but not written as output paths", () => {
    const { labels } = suggested('[{ "_tool": "a", "_outputPath": "|" }, { "_tool": "b", "x": "†state.wanted" }]');
    expect(labels).toContain("†state.wanted");
  });

  test("suggests nothing outside of calls", () => {
    expect(suggested("| []").labels).toEqual([]);
    expect(suggested('[{ "a": { "|" } }]').labels).toEqual([]);
  });
});
