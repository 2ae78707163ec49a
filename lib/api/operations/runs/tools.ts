import { z } from "zod";
import { actorOf } from "../../../access/caller.ts";
import { httpActivity, toolDefinition } from "../../../engine/tools/tool-definition.ts";
import type { ListedTool } from "../../../engine/tools/tools.ts";
import { identifier } from "../../../session/events/catalogue.ts";
import { jsonObject } from "../../../session/json/json-schema.ts";
import { answerJson } from "../../answers/answer.ts";
import { page } from "../../answers/answers.ts";
import { changesOf, digestOf } from "../../audited.ts";
import { jsonBody, operation } from "../../operation.ts";

/** A tool with its origin. */
export const toolAnswer = z.object({
  name: identifier,
  description: z.string(),
  schema: jsonObject,
  activity: httpActivity.optional().describe("The HTTP endpoint that carries it out; header values are encrypted."),
  requires_confirmation: z.boolean(),
  approvals: z.int().optional().describe("How many different people have to approve each execution, if not one."),
  source: z.enum(["built-in", "mcp", "api"]),
  latent: z.boolean().describe("It has no activity: the model produces the result."),
});

const tools = { path: "/api/tools" } as const;

/** Lists all tools. */
export const listTools = operation({
  ...tools,
  name: "listTools",
  permission: "read",
  method: "GET",
  summary: "Lists the tools that plans can call: built-in, from MCP servers, and registered.",
  answers: { 200: { description: "All of them, on one page.", schema: page(toolAnswer) } },
  run: async (_input, { tools }) => answerJson({ items: tools.list().map(tellTool), next: null, prev: null }),
});

/** Registers a tool for later runs, replacing one of the same name (P2a). */
export const postTool = operation({
  ...tools,
  name: "postTool",
  permission: "admin",
  method: "POST",
  summary:
    "Registers a tool. Replaces one of the same name; if that one required approval, or the approvals of several people, so does the new one. Without an activity, the tool is latent.",
  body: jsonBody(toolDefinition),
  answers: { 201: { description: "The registered tool.", schema: toolAnswer } },
  async run({ body, requester, audit }, { tools }) {
    const before = tools.find(body.name);
    const registered = await tools.register(body, actorOf(requester.caller));
    await audit({
      action: "tool.registered",
      target: `tool:${registered.name}`,
      ...changesOf(before && auditedFields(before), auditedFields(registered)),
    });
    return answerJson(tellTool(registered), 201);
  },
});

function tellTool(tool: ListedTool): z.infer<typeof toolAnswer> {
  const { name, description, schema, http, requires_confirmation, approvals, source, handler } = tool;
  return {
    name,
    description,
    schema,
    ...(http && { activity: http }),
    requires_confirmation,
    ...(approvals !== undefined && { approvals }),
    source,
    latent: handler === null,
  };
}

/** The audit entry of a tool. Header values, and URLs after the path, may contain secrets. */
function auditedFields({ description, schema, http, requires_confirmation, approvals = 1, source }: ListedTool) {
  return {
    ...{ description, requires_confirmation, approvals, source },
    schema: digestOf(schema),
    address: http ? addressWithoutSecrets(http.url) : null,
    method: http?.method ?? null,
    headers: Object.keys(http?.headers ?? {}),
  };
}

function addressWithoutSecrets(url: string): string {
  const { origin, pathname } = new URL(url);
  return origin + pathname;
}
