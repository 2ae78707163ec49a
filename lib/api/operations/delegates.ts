import { delegateDefinition } from "../../engine/tools/delegate.ts";
import { OPERATOR } from "../actor.ts";
import { answerJson } from "../answer.ts";
import { page } from "../answers.ts";
import { jsonBody, noBody, noParams, noQuery, operation } from "../operation.ts";

const delegates = { path: "/api/delegates", params: noParams, query: noQuery } as const;

/** Lists all delegates of this server. */
export const listDelegates = operation({
  ...delegates,
  name: "listDelegates",
  permission: "read",
  method: "GET",
  summary: "Lists the delegates that calls can name: those of the agents' folder, and registered ones.",
  body: noBody,
  answers: { 200: { description: "All of them, on one page.", schema: page(delegateDefinition) } },
  run: async (_input, { delegates }) => answerJson({ items: delegates.list(), next: null, prev: null }),
});

/** Registers a delegate, in the place of an earlier one of its name (P27). */
export const postDelegate = operation({
  ...delegates,
  name: "postDelegate",
  permission: "admin",
  method: "POST",
  summary: "Registers a delegate, a saved request that runs as a tool, in the place of an earlier one of its name.",
  body: jsonBody(delegateDefinition),
  answers: { 201: { description: "The delegate; it is on disk.", schema: delegateDefinition } },
  run: async ({ body }, { delegates }) => answerJson(await delegates.register(body, OPERATOR), 201),
});
