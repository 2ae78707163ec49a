import { createHash } from "node:crypto";
import { type Operation, operation } from "../operation.ts";
import { operations } from "../operations.ts";
import { openApiDocument } from "../reference/openapi.ts";
import { answerVersion, KNOWN, READ_CONDITIONS } from "../request/preconditions.ts";

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
    const { version, json } = await made;
    return answerVersion(headers, version, json, { weak: true });
  },
});

/** Cached: creating it takes 300 ms, between which others are answered. */
let made: Promise<{ version: number; json: string }> | null = null;

async function make() {
  const json = JSON.stringify(await openApiDocument([...operations, getOpenApi]));
  // The maximum number of digits of a version.
  return { json, version: createHash("sha256").update(json).digest().readUIntBE(0, 6) };
}
