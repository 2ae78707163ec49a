import { actorOf } from "../../../access/caller.ts";
import { type DelegateDefinition, delegateDefinition } from "../../../engine/tools/delegate.ts";
import { answerJson } from "../../answers/answer.ts";
import { page } from "../../answers/answers.ts";
import { changesOf, digestOf } from "../../audited.ts";
import { jsonBody, operation } from "../../operation.ts";

const delegates = { path: "/api/delegates" } as const;

/** Lists all delegates. */
export const listDelegates = operation({
  ...delegates,
  name: "listDelegates",
  permission: "read",
  method: "GET",
  summary: "Lists delegates: those in the agents folder and registered ones.",
  answers: { 200: { description: "All of them, on one page.", schema: page(delegateDefinition) } },
  run: async (_input, { delegates }) => answerJson({ items: delegates.list(), next: null, prev: null }),
});

/** Registers a delegate, replacing one of the same name (P27). */
export const postDelegate = operation({
  ...delegates,
  name: "postDelegate",
  permission: "admin",
  method: "POST",
  summary: "Registers a delegate (a saved request that runs as a tool). Replaces an existing one of the same name.",
  body: jsonBody(delegateDefinition),
  answers: { 201: { description: "The registered delegate.", schema: delegateDefinition } },
  async run({ body, requester, audit }, { delegates }) {
    const before = delegates.find(body.name);
    const registered = await delegates.register(body, actorOf(requester.caller));
    await audit({
      action: "delegate.registered",
      target: `delegate:${registered.name}`,
      ...changesOf(before && auditedFields(before), auditedFields(registered)),
    });
    return answerJson(registered, 201);
  },
});

/** The audit entry of a delegate, with digests of large values. */
function auditedFields(definition: DelegateDefinition) {
  const { description, strict, writes, tools = null, max_iterations = null, max_depth = null } = definition;
  return {
    ...{ description, strict, writes, tools, max_iterations, max_depth },
    context: digestOf(definition.context),
    plan: digestOf(definition.plan),
    input_schema: digestOf(definition.input_schema),
    output_schema: digestOf(definition.output_schema),
    output: digestOf(definition.output),
  };
}
