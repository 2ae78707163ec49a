import { answerJson } from "../answer.ts";
import { openApiDocument } from "../openapi.ts";
import { noBody, noParams, noQuery, type Operation, operation } from "../operation.ts";
import { operations } from "../operations.ts";

/** Answers the description of this API (E10). */
export const getOpenApi: Operation = operation({
  name: "getOpenApi",
  permission: "read",
  method: "GET",
  path: "/api/openapi.json",
  summary: "Answers this description: OpenAPI 3.1.",
  params: noParams,
  query: noQuery,
  body: noBody,
  answers: { 200: { description: "The description." } },
  run: async () => answerJson(openApiDocument([...operations, getOpenApi])),
});
