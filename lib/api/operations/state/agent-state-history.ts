import { z } from "zod";
import { identifier } from "../../../session/events/catalogue.ts";
import { jsonValue } from "../../../session/json/json-schema.ts";
import { answerJson, unknownEntry } from "../../answers/answer.ts";
import { agentStateVersion, page, refusal } from "../../answers/answers.ts";
import { cursor, limit, numberParameter } from "../../fields.ts";
import { operation } from "../../operation.ts";
import { Problem } from "../../problem.ts";
import { etag } from "../../request/preconditions.ts";

const entry = z.object({ agent_id: identifier, key: identifier });

/** Lists the versions of an entry, from the log (C8). */
export const listAgentStateHistory = operation({
  name: "listAgentStateHistory",
  permission: "read",
  method: "GET",
  path: "/api/agent-state/{agent_id}/{key}/history",
  summary: "Lists the versions of a value, including deletions, newest first: who wrote each, when and why.",
  params: entry,
  query: z.strictObject({ cursor: cursor.optional(), limit }),
  answers: {
    200: { description: "A page of versions, without values.", schema: page(agentStateVersion) },
    404: refusal("The entry never existed."),
  },
  async run({ params, query }, { agentStates }) {
    const history = await agentStates.history(params.agent_id, params.key, query);
    if (history.items.length === 0 && query.cursor === undefined) throw unknownEntry(params);
    return answerJson(history);
  },
});

/** Returns an entry at a version. */
export const getAgentStateVersion = operation({
  name: "getAgentStateVersion",
  permission: "read",
  method: "GET",
  path: "/api/agent-state/{agent_id}/{key}/history/{version}",
  summary: "Returns a value at a version.",
  params: entry.extend({ version: numberParameter(1) }),
  answers: {
    200: { description: 'The value; ETag is its version (`"3"`).', schema: jsonValue },
    404: refusal("There is no such version, or it is a deletion."),
  },
  async run({ params: { version, ...address } }, { agentStates }) {
    const found = await agentStates.version(address.agent_id, address.key, version);
    if (!found) throw noVersion(address, `has no version ${version}`);
    if (found.value === undefined) throw noVersion(address, `was deleted with version ${version}`);
    return answerJson(found.value, 200, { etag: etag(version) });
  },
});

function noVersion({ agent_id, key }: z.infer<typeof entry>, fact: string): Problem {
  return new Problem("not_found", `${agent_id}/${key} ${fact}; see its history for the versions that exist.`);
}
