import { z } from "zod";
import { actorOf, type Requester, recorderOf } from "../../../access/caller.ts";
import { identifier } from "../../../session/events/catalogue.ts";
import { jsonValue } from "../../../session/json/json-schema.ts";
import { OWN_AGENTS } from "../../../session/own-agents.ts";
import { answerText, unknownEntry } from "../../answers/answer.ts";
import { requireAuthority } from "../../event-authority.ts";
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

const address = {
  path: "/api/agent-state/{agent_id}/{key}",
  params: z.object({ agent_id: identifier, key: identifier }),
};

const value = { schema: jsonValue, description: 'The value; ETag is its version (`"3"`).' };

/** Returns an entry of agent state, with its version as ETag (E12). */
export const getAgentState = operation({
  ...address,
  name: "getAgentState",
  permission: "read",
  method: "GET",
  summary: "Returns a value of an agent's state.",
  headers: READ_CONDITIONS,
  answers: { 200: value, 304: KNOWN },
  async run({ params, headers }, { agentStates }) {
    const entry = await agentStates.getText(params.agent_id, params.key);
    if (!entry) throw unknownEntry(params);
    return answerVersion(headers, entry.version, entry.text);
  },
});

/** Writes an entry if its version matches (E12). */
export const putAgentState = operation({
  ...address,
  name: "putAgentState",
  permission: "ingest",
  method: "PUT",
  summary: "Writes a value of an agent's state.",
  body: jsonBody(jsonValue),
  headers: WRITE_CONDITIONS,
  answers: { 200: value, 201: { ...value, description: "The value was created." }, 412: STALE },
  async run({ params, body, headers, requester, audit }, { log }) {
    refuseOwn(params);
    permitState(requester, "agent_state.written", params);
    const written = await log.putAgentState({
      agentId: params.agent_id,
      key: params.key,
      value: body,
      expect: expectation(headers),
      actor: actorOf(requester.caller),
      by: recorderOf(requester.caller),
    });
    if (isEdit(requester)) {
      await audit({
        action: "agent_state.written",
        target: stateTarget(params),
        ...(!written.created && { before: { version: written.version - 1 } }),
        after: { version: written.version },
      });
    }
    return answerText(written.text, written.created ? 201 : 200, { etag: etag(written.version) });
  },
});

/** Deletes an entry if its version matches (E12). */
export const deleteAgentState = operation({
  ...address,
  name: "deleteAgentState",
  permission: "ingest",
  method: "DELETE",
  summary: "Deletes a value of an agent's state.",
  headers: WRITE_CONDITIONS,
  answers: { 204: { description: "Deleted." }, 412: STALE },
  async run({ params, headers, requester, audit }, { log }) {
    refuseOwn(params);
    permitState(requester, "agent_state.deleted", params);
    const deleted = await log.deleteAgentState({
      agentId: params.agent_id,
      key: params.key,
      expect: expectation(headers),
      actor: actorOf(requester.caller),
      by: recorderOf(requester.caller),
    });
    if (!deleted) throw unknownEntry(params);
    if (isEdit(requester)) {
      await audit({
        action: "agent_state.deleted",
        target: stateTarget(params),
        before: { version: deleted.version - 1 },
        after: { version: deleted.version, deleted: true },
      });
    }
    return new Response(null, { status: 204 });
  },
});

/** Throws a `Problem` if a program would write agent state of Obelus itself: memory, stages of dialogs. */
function permitState(
  { caller }: Requester,
  type: "agent_state.written" | "agent_state.deleted",
  { agent_id }: { agent_id: string },
): void {
  requireAuthority(caller, { id: "", conversation_id: null, type, actor: null, payload: { agent_id } });
}

/** Only edits by people are audited: programs write their own state many times a minute, and the log has it. */
function isEdit({ caller }: Requester): boolean {
  return caller.kind !== "key";
}

function stateTarget({ agent_id, key }: { agent_id: string; key: string }): string {
  return `agent_state:${agent_id}/${key}`;
}

type OwnAgent = (typeof OWN_AGENTS)[keyof typeof OWN_AGENTS];

/** The operations that write agent state of Obelus itself: they validate it and encrypt secrets. */
const OWN_WAYS: Record<OwnAgent, string> = {
  [OWN_AGENTS.tools]: "register it with POST /api/tools",
  [OWN_AGENTS.delegates]: "register it with POST /api/delegates",
  [OWN_AGENTS.agents]: "write it with PUT /api/agents/{id}",
  [OWN_AGENTS.judges]: "write it with PUT /api/judges/{name}",
};

/** Throws `conflict` for agent state of Obelus itself. */
function refuseOwn({ agent_id }: { agent_id: string }): void {
  for (const [own, way] of Object.entries(OWN_WAYS))
    if (own === agent_id) throw new Problem("conflict", `${agent_id} is reserved for Obelus; ${way} instead.`);
}
