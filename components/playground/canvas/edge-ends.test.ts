import { expect, test } from "vitest";
import type { JsonObject } from "@/lib/session/json/json.ts";
import { knownPaths } from "../editor/known-paths.ts";
import { knownTools } from "../editor/toolbox.ts";
import { createCallsReader } from "../read-calls.ts";
import { likelyPath, parametersOf } from "./edge-ends.ts";

const ID = { type: ["integer", "string"] };
const tool = (name: string, properties: JsonObject) => ({
  ...{ name, description: "", requires_confirmation: false, latent: false },
  schema: { type: "object", properties, required: Object.keys(properties).filter((key) => key !== "_output") },
});
const FIELDS = { type: "object", properties: { TITLE: { type: "string" }, DEAL_ID: ID }, required: ["TITLE"] };
const DEAL = { type: "object", properties: { ID, TITLE: { type: "string" }, CONTACT_ID: ID } };
const TOOLS = knownTools(
  [
    tool("crm.deal.get", { id: ID, _output: DEAL }),
    tool("crm.contact.get", { id: ID }),
    tool("tasks.add", { fields: FIELDS }),
    tool("mail.send", { deal: { type: "object" } }),
  ],
  [],
  [],
);

function ends(reader: JsonObject) {
  const deal = { _tool: "crm.deal.get", _id: "deal", id: 1, _outputPath: "†state.deal" };
  const read = createCallsReader()([deal, reader], TOOLS);
  const paths = knownPaths(read, [], TOOLS).filter(({ writer }) => writer === "deal");
  const call = read.calls[1];
  if (!call) throw new Error("The reader is missing");
  const { known } = parametersOf(call, TOOLS);
  return { likely: likelyPath(paths, call.tool, known), names: known.map(({ path }) => path.join(".")) };
}

test("a new edge reads the whole result where it fits, else the part that fits and is named alike", () => {
  expect(ends({ _tool: "mail.send", _id: "mail" }).likely).toBe("†state.deal");
  expect(ends({ _tool: "crm.contact.get", _id: "contact" }).likely).toBe("†state.deal.CONTACT_ID");
});

test("the parts of an object that a tool asks for are ends of edges, until it is read as a whole", () => {
  expect(ends({ _tool: "tasks.add", _id: "task" }).names).toEqual(["fields", "fields.TITLE", "fields.DEAL_ID"]);
  expect(ends({ _tool: "tasks.add", _id: "task", fields: { TITLE: "Call" } }).names).toHaveLength(3);
  expect(ends({ _tool: "tasks.add", _id: "task", fields: "†state.deal" }).names).toEqual(["fields"]);
});
