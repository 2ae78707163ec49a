import { createHash, randomUUIDv7 } from "node:crypto";
import type { Conversations, Events, Log, Runs } from "../../db/repositories.ts";
import type { Engine, RunRequest } from "../engine/engine.ts";
import { isTakenOver, Refused } from "../engine/errors.ts";
import type { ToolDefinition } from "../engine/tools/tool-definition.ts";
import type { JsonObject } from "../session/json/json.ts";
import type { Agent } from "./agent.ts";
import type { AgentRegistry } from "./agent-registry.ts";
import { agentVersionOf } from "./agent-version.ts";
import { localeOf } from "./locale.ts";
import { historySettings, RUN_MODES } from "./run-settings.ts";
import { DIALOG_ZONE, userLocation } from "./user-location.ts";

/** A message of a user or a manager. */
export interface TurnRequest {
  conversation_id: string;
  content: string;
  role: "user" | "operator";
  /** The name of the operator who writes: `operator:anna`. */
  operator: string | null;
  /** The origin in the log. */
  by: "person" | "program";
  user_id: string | null;
  /** Chosen by the client for deduplication. */
  message_id?: string | undefined;
  /** Tools that the program carries out which sends the message. */
  tools?: ToolDefinition[];
  /** What else it knows, in the forms of a plan's context: the state, for example. */
  context?: JsonObject[];
}

/** Records messages and starts turns. */
export interface Turns {
  /**
   * Resolves when the message and the start of its run are durable. `run_id` is null if no agent answers: to an
   * operator, if the agent is not on this server, and during a takeover (D11). Throws `Refused`.
   */
  take(request: TurnRequest): Promise<TakenTurn>;
}

interface TakenTurn {
  message_id: string;
  run_id: string | null;
}

interface Taking {
  conversation_id: string;
  taken: Promise<TakenTurn>;
}

interface Needs {
  engine: Pick<Engine, "start">;
  agents: Pick<AgentRegistry, "find" | "default">;
  conversations: Pick<Conversations, "get">;
  events: Pick<Events, "list">;
  runs: Pick<Runs, "find">;
  log: Pick<Log, "append">;
}

/** The turns of this server's agents. The engine serializes the runs of a user (M11). */
export function createTurns({ engine, agents, conversations, events, runs, log }: Needs): Turns {
  /** Messages in progress, by id: the same message gets the same result, and another one with its id waits. */
  const taking = new Map<string, Taking>();

  async function take(request: TurnRequest, message_id: string) {
    const { conversation_id, content, tools = [], context = [] } = request;
    const conversation = await conversations.get(conversation_id);
    const user_id = request.user_id ?? conversation?.user_id ?? null;
    const agent = agentFor(conversation?.agent_id ?? null);
    const record = async () => {
      const said = messageEvent({ ...request, user_id }, message_id);
      await log.append([said], request.by);
      return { message_id, run_id: null };
    };
    if (request.role === "operator" || !agent || conversation?.taken_over) return record();
    const run_id = runIdOf(message_id);
    const known = await runs.find(run_id);
    if (known) {
      if (known.conversation_id === conversation_id) return { message_id, run_id };
      throw new Refused(`The message id ${message_id} exists in another conversation; use another id`);
    }
    const { timezone, household_id } = await userLocation(events, conversation_id);
    const turn: RunRequest = {
      ...{ plan: null, tools, context, confirm: [], conversation_id, concurrency: null, budget: {} },
      mode: RUN_MODES[agent.mode],
      user_id,
      agent_id: agent.id,
      agent_version: agentVersionOf(agent),
      max_iterations: agent.max_iterations ?? null,
      output_schema: null,
      turn: {
        run_id,
        message: { id: message_id, content },
        // In a conversation with stages the main graph chooses the agent (D1).
        instructions: agent.stage === null ? agent.instructions : null,
        history: historySettings(agent),
        timezone: timezone ?? agent.timezone ?? DIALOG_ZONE,
        household_id,
        tools: agent.tools && [...agent.tools, ...tools.map(({ name }) => name)],
        locale: localeOf(content) ?? agent.locale,
      },
    };
    try {
      await engine.start(turn);
    } catch (error) {
      // A manager has just taken over.
      if (isTakenOver(error)) return record();
      // Another replica has just taken the same message.
      if ((await runs.find(run_id))?.conversation_id === conversation_id) return { message_id, run_id };
      throw error;
    }
    return { message_id, run_id };
  }

  function agentFor(id: string | null): Agent | undefined {
    return id === null ? agents.default() : agents.find(id);
  }

  return {
    take(request) {
      const { conversation_id, message_id = randomUUIDv7() } = request;
      const known = taking.get(message_id);
      if (known?.conversation_id === conversation_id) return known.taken;
      const before = Promise.allSettled(known ? [known.taken] : []);
      const forget = () => taking.get(message_id) === entry && taking.delete(message_id);
      const taken = before.then(() => take(request, message_id)).finally(forget);
      const entry: Taking = { conversation_id, taken };
      taking.set(message_id, entry);
      return taken;
    },
  };
}

/** A message is answered by one run, however often it is sent. */
function runIdOf(messageId: string): string {
  const hash = createHash("sha256").update(messageId).digest("hex");
  return [hash.slice(0, 8), hash.slice(8, 12), hash.slice(12, 16), hash.slice(16, 20), hash.slice(20, 32)].join("-");
}

function messageEvent({ conversation_id, content, role, operator, user_id }: TurnRequest, id: string) {
  const actor = role === "operator" ? operator : user_id === null ? "user" : `user:${user_id}`;
  return {
    ...{ id, conversation_id, actor, agent_id: null, run_id: null, parent_run_id: null, caused_by: null },
    type: "message.created",
    payload: { message_id: id, role, content },
    occurred_at: null,
  };
}
