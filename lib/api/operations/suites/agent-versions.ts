import { randomUUIDv7 } from "node:crypto";
import { z } from "zod";
import { actorOf } from "../../../access/caller.ts";
import { type AgentDefinition, agentDefinition } from "../../../dialog/agent.ts";
import { versionOf } from "../../../dialog/agent-version.ts";
import type { Services } from "../../../server/services.ts";
import { identifier } from "../../../session/events/catalogue.ts";
import type { Json } from "../../../session/json/json.ts";
import { answerJson } from "../../answers/answer.ts";
import { refusal } from "../../answers/answers.ts";
import { jsonBody, operation } from "../../operation.ts";
import { Problem } from "../../problem.ts";
import { etag, expectation, STALE, WRITE_CONDITIONS } from "../../request/preconditions.ts";
import { agentAnswer } from "../state/agents.ts";
import { agentVersion, promotion } from "./suite-answers.ts";

/** So many promotions are listed. */
const LISTED = 20;

const ofAgent = z.object({ id: identifier });

/** Lists which versions an agent was given. */
export const listAgentVersions = operation({
  name: "listAgentVersions",
  permission: "read",
  method: "GET",
  path: "/api/agents/{id}/versions",
  summary: "Returns an agent's version, a digest of its definition, and which versions it was given by promotion.",
  params: ofAgent,
  answers: {
    200: {
      description: `Its version, and the ${LISTED} newest promotions.`,
      schema: z.object({ current: z.string(), items: z.array(promotion) }),
    },
    404: refusal("The agent does not exist."),
  },
  async run({ params: { id } }, { agents, suites }) {
    const current = registeredVersion(id, agents);
    if (!current) throw unknownAgent(id);
    return answerJson({ current: current.version, items: await suites.promotions(id, LISTED) });
  },
});

/** Returns a definition by its version. */
export const getAgentVersion = operation({
  name: "getAgentVersion",
  permission: "read",
  method: "GET",
  path: "/api/agents/{id}/versions/{digest}",
  summary: "Returns a definition of an agent that a suite was run with, or that the agent has or had.",
  params: ofAgent.extend({ digest: identifier }),
  answers: {
    200: { description: "The version.", schema: agentVersion },
    404: refusal("The version is not known."),
  },
  async run({ params: { id, digest } }, { suites }) {
    const found = await suites.version(id, digest);
    if (!found) throw unknownVersion(id, digest);
    return answerJson(found);
  },
});

/** Gives an agent a version. */
export const promoteAgent = operation({
  name: "promoteAgent",
  permission: "admin",
  method: "POST",
  path: "/api/agents/{id}/promote",
  summary:
    "Makes a version that a suite was run with the agent's definition, which overrides a file's, from the next turn on. The version before is kept: promote it to take this back.",
  params: ofAgent,
  headers: WRITE_CONDITIONS,
  body: jsonBody(
    z.strictObject({
      version: identifier.describe("Of `GET /api/agents/{id}/versions`, or of a run."),
      run_id: identifier.nullable().default(null).describe("The run of a suite that speaks for it."),
    }),
  ),
  answers: {
    200: {
      description: "The agent, and the version that it had before.",
      schema: z.object({ agent: agentAnswer, version: z.string(), before: z.string() }),
    },
    404: refusal("The agent or the version is not known."),
    409: refusal("The agent has this version."),
    412: STALE,
  },
  async run({ params: { id }, body: { version, run_id }, headers, requester, audit }, { agents, suites }) {
    const before = registeredVersion(id, agents);
    if (!before) throw unknownAgent(id);
    const wanted = await suites.version(id, version);
    if (!wanted) throw unknownVersion(id, version);
    if (before.version === version) throw new Problem("conflict", `The agent ${id} has this version already.`);
    const by = actorOf(requester.caller);
    await suites.addVersion({
      agent_id: id,
      version: before.version,
      definition: toJson(before.definition),
      created_by: by,
    });
    const { agent } = await agents.put(id, agentDefinition.parse(wanted.definition), expectation(headers), by);
    await suites.addPromotion({
      ...{ id: randomUUIDv7(), agent_id: id, version, before: before.version, run_id, promoted_by: by },
    });
    await audit({
      action: "agent.promoted",
      target: `agent:${id}`,
      before: { version: before.version },
      after: { version, run: run_id },
    });
    return answerJson({ agent, version, before: before.version }, 200, { etag: etag(agent.version) });
  },
});

/** The definition of an agent as it is registered, with its version; null if there is no such agent. */
export function registeredVersion(
  id: string,
  agents: Services["agents"],
): { definition: AgentDefinition; version: string } | null {
  const found = agents.find(id);
  if (!found) return null;
  const { id: _, version: __, source: ___, ...definition } = found;
  return { definition, version: versionOf(toJson(definition)) };
}

function toJson(definition: AgentDefinition): Json {
  return JSON.parse(JSON.stringify(definition));
}

function unknownAgent(id: string): Problem {
  return new Problem("not_found", `There is no agent ${id}; list them with GET /api/agents.`);
}

function unknownVersion(id: string, version: string): Problem {
  return new Problem("not_found", `No version ${version} of the agent ${id} is known.`);
}
