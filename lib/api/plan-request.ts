import { z } from "zod";
import { toolDefinition } from "../engine/tools/tool-definition.ts";
import { jsonObject } from "./fields.ts";

/** A plan with what it is read against. Calls may be any objects: what is wrong with them is the plan's problem. */
export const planRequest = z.strictObject({
  plan: z.array(jsonObject).describe("The calls."),
  tools: z.array(toolDefinition).default([]).describe("Laid over the server's own tools."),
  context: z.array(jsonObject).default([]).describe("Messages: data of a kind, state, input, or words with a role."),
});
