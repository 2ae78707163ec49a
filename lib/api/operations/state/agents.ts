import { z } from "zod";
import { actorOf } from "../../../access/caller.ts";
import { type Agent, agentDefinition, agentFields } from "../../../dialog/agent.ts";
import { identifier } from "../../../session/events/catalogue.ts";
import { answerJson } from "../../answers/answer.ts";
import { page, refusal } from "../../answers/answers.ts";
import { changesOf, digestOf } from "../../audited.ts";
import { jsonBody, operation } from "../../operation.ts";
import { Problem } from "../../problem.ts";
import {
  answerVersion,
  etag,
  expectation,
  KNOWN,
  READ_CONDITIONS,
  STALE,
  WRITE_CONDITIONS,
} from "../../request/preconditions.ts";

/** An agent's current definition, and its source. */
export const agentAnswer = agentFields.extend({
  id: z.string(),
  default: z.boolean().describe("It answers in conversations that do not name an agent."),
  stage: agentFields.shape.stage.describe("The stage in which it speaks; null if it answers conversations by itself."),
  version: z.int().describe("The version of the stored definition; 0 for a file."),
  source: z.enum(["file", "api"]),
}) satisfies z.ZodType<Agent>;

const address = { path: "/api/agents/{id}", params: z.object({ id: identifier }) } as const;
const agent = { schema: agentAnswer, description: 'The agent; ETag is its version (`"0"` for a file\'s).' };

/** Lists all agents (D4). */
export const listAgents = operation({
  name: "listAgents",
  permission: "read",
  method: "GET",
  path: "/api/agents",
  summary: "Lists the agents: those in the agents folder, overridden by those written through the API.",
  answers: { 200: { description: "All of them, on one page.", schema: page(agentAnswer) } },
  run: async (_input, { agents }) => answerJson({ items: agents.list(), next: null, prev: null }),
});

/** Returns an agent, with its version as ETag. */
export const getAgent = operation({
  ...address,
  name: "getAgent",
  permission: "read",
  method: "GET",
  summary: "Returns an agent's definition.",
  headers: READ_CONDITIONS,
  answers: {
    200: agent,
    304: KNOWN,
    404: refusal("The agent does not exist."),
  },
  async run({ params: { id }, headers }, { agents }) {
    const found = agents.find(id);
    if (!found) throw new Problem("not_found", `There is no agent ${id}; list them with GET /api/agents.`);
    return answerVersion(headers, found.version, JSON.stringify(found));
  },
});

/** Writes an agent, overriding a file's, if its version matches (D12). */
export const putAgent = operation({
  ...address,
  name: "putAgent",
  permission: "admin",
  method: "PUT",
  summary: "Writes an agent's definition. It applies from the next turn.",
  body: jsonBody(agentDefinition),
  headers: WRITE_CONDITIONS,
  answers: { 200: agent, 201: { ...agent, description: "The agent was created." }, 412: STALE },
  async run({ params: { id }, body, headers, requester, audit }, { agents }) {
    const before = agents.find(id);
    const { agent, created } = await agents.put(id, body, expectation(headers), actorOf(requester.caller));
    await audit({
      action: "agent.written",
      target: `agent:${id}`,
      ...changesOf(before && auditedFields(before), auditedFields(agent)),
    });
    return answerJson(agent, created ? 201 : 200, { etag: etag(agent.version) });
  },
});

/** The audit entry of an agent, with a digest of its instructions, which its versions contain. */
function auditedFields({ id: _, instructions, history, prefix, ...agent }: Agent) {
  const { timezone = null, max_iterations = null, ...rest } = agent;
  return {
    ...rest,
    ...{ timezone, max_iterations },
    instructions: digestOf(instructions),
    history: Object.entries(history).map(([name, value]) => `${name}=${value}`),
    prefix: Object.values(prefix),
  };
}
