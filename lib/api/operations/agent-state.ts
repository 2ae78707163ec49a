import { z } from "zod";
import { identifier } from "../../session/catalogue.ts";
import { answerJson } from "../answer.ts";
import { problem } from "../answers.ts";
import { jsonValue } from "../fields.ts";
import { jsonBody, noBody, noQuery, operation } from "../operation.ts";
import { etag, expectation, matchesNone } from "../preconditions.ts";
import { Problem } from "../problem.ts";

const address = {
  path: "/api/agent-state/{agent_id}/{key}",
  params: z.object({ agent_id: identifier, key: identifier }),
  query: noQuery,
};

const conditions = {
  "If-Match": 'Only if it is at one of these versions (`"3"`), or, with `*`, at any.',
  "If-None-Match": "`*`: only if there is none.",
};

const value = { schema: jsonValue, description: 'The value; ETag is its version (`"3"`).' };
const stale = {
  schema: problem,
  type: "application/problem+json",
  description: "It is at another version; nothing has changed.",
};

/** Answers one value that an agent keeps, with its version as ETag (E12). */
export const getAgentState = operation({
  ...address,
  name: "getAgentState",
  method: "GET",
  summary: "Answers a value that an agent keeps.",
  body: noBody,
  headers: { "If-None-Match": "Versions that the client has: 304 when it is at one of them." },
  answers: { 200: value, 304: { description: "The client has it." } },
  async run({ params, headers }, { agentStates }) {
    const entry = await agentStates.get(params.agent_id, params.key);
    if (!entry) throw unknownEntry(params);
    if (matchesNone(headers, entry.version)) return answerJson(entry.value, 200, { etag: etag(entry.version) });
    return new Response(null, { status: 304, headers: { etag: etag(entry.version) } });
  },
});

/** Writes one value, if it is still what the writer believes (E12). */
export const putAgentState = operation({
  ...address,
  name: "putAgentState",
  method: "PUT",
  summary: "Writes a value that an agent keeps.",
  body: jsonBody(jsonValue),
  headers: conditions,
  answers: { 200: value, 201: { ...value, description: "The value, which is new." }, 412: stale },
  async run({ params, body, headers }, { log }) {
    const written = await log.putAgentState({
      agentId: params.agent_id,
      key: params.key,
      value: body,
      expect: expectation(headers),
      actor: null,
    });
    return answerJson(body, written.created ? 201 : 200, { etag: etag(written.version) });
  },
});

/** Deletes one value, if it is still what the writer believes (E12). */
export const deleteAgentState = operation({
  ...address,
  name: "deleteAgentState",
  method: "DELETE",
  summary: "Deletes a value that an agent keeps.",
  body: noBody,
  headers: conditions,
  answers: { 204: { description: "It is gone." }, 412: stale },
  async run({ params, headers }, { log }) {
    const deleted = await log.deleteAgentState({
      agentId: params.agent_id,
      key: params.key,
      expect: expectation(headers),
      actor: null,
    });
    if (!deleted) throw unknownEntry(params);
    return new Response(null, { status: 204 });
  },
});

function unknownEntry({ agent_id, key }: { agent_id: string; key: string }): Problem {
  return new Problem("not_found", `The agent ${agent_id} keeps nothing under ${key}.`);
}
