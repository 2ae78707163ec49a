import { expect, it } from "vitest";
import { operations } from "../operations.ts";
import { operationReferences, payloadReferences } from "./reference.ts";

it("E10: the API page has each operation's parameters, bodies and responses", () => {
  const view = operationReferences(operations).find(({ path }) => path === "/api/conversations/{id}/view");
  expect(view).toMatchObject({ method: "GET", bodies: [] });
  expect(view?.parameters.map(({ name, in: place, required }) => `${place} ${name} ${required}`)).toEqual([
    "path id true",
    "query at false",
  ]);
  expect(view?.answers.map(({ status }) => status)).toContain("200");
});

it("E2: the API page has each event's fields, which are required, and their types", () => {
  const message = payloadReferences().find(({ type }) => type === "message.created");
  expect(message?.fields.slice(0, 3)).toMatchObject([
    { name: "message_id", required: true, type: "string" },
    { name: "role", required: true, type: '"user" | "assistant" | "system" | "tool" | "operator"' },
    { name: "content", required: true, type: "string" },
  ]);
});
