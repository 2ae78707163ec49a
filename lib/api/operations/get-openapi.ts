import { createHash } from "node:crypto";
import { openApiDocument } from "../openapi.ts";
import { type Operation, operation } from "../operation.ts";
import { operations } from "../operations.ts";
import { answerVersion, KNOWN, READ_CONDITIONS } from "../preconditions.ts";

/** Returns the OpenAPI document (E10). */
export const getOpenApi: Operation = operation({
  name: "getOpenApi",
  permission: "read",
  method: "GET",
  path: "/api/openapi.json",
  summary: "Returns this OpenAPI 3.1 description.",
  headers: READ_CONDITIONS,
  answers: { 200: { description: "The description." }, 304: KNOWN },
  async run({ headers }) {
    made ??= make();
    return answerVersion(headers, made.version, made.json, { weak: true });
  },
});

/** Cached: creating it takes 100 ms. */
let made: { version: number; json: string } | null = null;

function make() {
  const json = JSON.stringify(openApiDocument([...operations, getOpenApi]));
  // The maximum number of digits of a version.
  return { json, version: createHash("sha256").update(json).digest().readUIntBE(0, 6) };
}
