import { createHash, randomUUIDv7 } from "node:crypto";
import type { Conversations, Events, Log, Runs } from "../../db/repositories.ts";
import type { Engine, RunRequest } from "../engine/engine.ts";
import { isTakenOver, Refused } from "../engine/errors.ts";
import type { Agent } from "./agent.ts";
import type { AgentRegistry } from "./agent-registry.ts";
import { localeOf } from "./locale.ts";
import { historySettings, RUN_MODES } from "./run-settings.ts";
import { DIALOG_ZONE, whereabouts } from "./whereabouts.ts";

/** What a user, or a manager, said. */
export interface TurnRequest {
  conversation_id: string;
  content: string;
  role: "user" | "operator";
  /** Who writes where an operator does: `operator:anna`. */
  operator: string | null;
  /** Who puts it into the log. */
  by: "person" | "program";
  user_id: string | null;
  /** Chosen by the client, so that a message that is sent again is taken once. */
  message_id?: string | undefined;
}

/** Takes what people say, and has the agent of the conversation answer it. */
export interface Turns {
  /**
   * Resolves when the message, and the beginning of its run, are on disk. `run_id` is null where no agent answers: to an
   * operator, in a conversation of an agent that is not this server's, and while a manager has it (D11). Throws `Refused`.
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

/** The turns of this server's agents. One user's run one after another: the engine sees to that (M11). */
export function createTurns({ engine, agents, conversations, events, runs, log }: Needs): Turns {
  /** Messages that are being taken, by id: the same one again gets the same answer, and another of its id waits for it. */
  const taking = new Map<string, Taking>();

  async function take(request: TurnRequest, message_id: string) {
    const { conversation_id, content } = request;
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
    const { timezone, household_id } = await whereabouts(events, conversation_id);
    const turn: RunRequest = {
      ...{ plan: null, tools: [], context: [], confirm: [], conversation_id, concurrency: null, budget: {} },
      mode: RUN_MODES[agent.mode],
      user_id,
      agent_id: agent.id,
      max_iterations: agent.max_iterations ?? null,
      output_schema: null,
      turn: {
        run_id,
        message: { id: message_id, content },
        // In a dialog with stages the main graph says who speaks (D1).
        instructions: agent.stage === null ? agent.instructions : null,
        history: historySettings(agent),
        timezone: timezone ?? agent.timezone ?? DIALOG_ZONE,
        household_id,
        tools: agent.tools,
        locale: localeOf(content) ?? agent.locale,
      },
    };
    try {
      await engine.start(turn);
    } catch (error) {
      // A manager was a moment faster.
      if (isTakenOver(error)) return record();
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
