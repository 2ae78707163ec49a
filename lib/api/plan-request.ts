import { z } from "zod";
import { type Caller, may } from "../access/caller.ts";
import { hasSealedHeader, type ToolDefinition, toolDefinition } from "../engine/tools/tool-definition.ts";
import { isJsonObject } from "../session/json/json.ts";
import { jsonObject } from "../session/json/json-schema.ts";
import { listOf, plainListOf } from "../session/json/list.ts";
import { Problem } from "./problem.ts";

/** A plan with the tools and inputs it uses. Calls may be any objects: their errors are the plan's problems. */
export const planRequest = z.strictObject({
  plan: plainListOf(jsonObject, isJsonObject).describe("The calls."),
  tools: listOf(toolDefinition).default([]).describe("Overrides the server's own tools."),
  context: plainListOf(jsonObject, isJsonObject)
    .default([])
    .describe("Messages: data of a kind, state, input, or text with a role."),
});

/** Throws a `Problem` for a tool with an encrypted header: only callers who may register it can use its secret. */
export function refuseSealed({ tools }: Pick<z.infer<typeof planRequest>, "tools">, caller: Caller): void {
  const index = tools.findIndex(hasSealedHeader);
  if (index < 0 || may(caller, "admin")) return;
  throw new Problem(
    "forbidden",
    `The tool ${tools[index]?.name} has a sealed header, which only an administrator may send; omit the tool to use the registered one.`,
    { errors: [{ path: `/tools/${index}/activity/headers`, message: "has a sealed value" }] },
  );
}

/** Throws a `Problem` if a fork would send the encrypted header of a tool of the original run. */
export function refuseSealedAgain(tools: readonly ToolDefinition[], caller: Caller): void {
  const tool = tools.find(hasSealedHeader);
  if (!tool || may(caller, "admin")) return;
  throw new Problem(
    "forbidden",
    `The tool ${tool.name} of the source run has a sealed header, which only an administrator may send; simulate the fork in mode shadow, or ask an administrator to run it.`,
  );
}
