import { randomUUID } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pino } from "pino";
import { openStorage } from "../../../db/sqlite/open.ts";
import type { Direction, SpokenPart } from "../../engine/turn.ts";
import type { Json, JsonObject } from "../../session/json/json.ts";
import type { Locale } from "../../session/locale.ts";
import { type Agent, agentDefinition, STAGES } from "../agent.ts";
import { createDirector } from "../main-graph/director.ts";
import { createMainGraph } from "../main-graph/main-graph.ts";

type Asked = Extract<Direction, { kind: "ask" }>["speaker"];

/** An agent's answer: its text, or a whole response. */
export type Says = string | Partial<SpokenPart>;

export const BAKERY = {
  niche: "bakery",
  company_name: "Crumb",
  persona_instruction: "You sell bread.",
  welcome_message: "Hello from Crumb!",
};

export function agentIn(stage: Agent["stage"], more: object = {}): Agent {
  const definition = agentDefinition.parse({
    ...{ instructions: `I am ${stage}.`, stage, mode: "full" },
    ...(stage === "demo" && { prefix: { en: "[Demonstration] ", ru: "[Демонстрация] " } }),
    ...more,
  });
  return { id: `the-${stage}`, version: 0, source: "file", ...definition };
}

const mainGraph = createMainGraph();

interface Beginning {
  locale?: Locale;
  metadata?: JsonObject;
  conversation_id?: string;
}

/** Conversations with directed turns, with a log of their own. */
export async function openDialogs() {
  const folder = await mkdtemp(join(tmpdir(), "obelus-dialog-"));
  const quiet = pino({ level: "silent" });
  const storage = await openStorage({
    dataDir: folder,
    durability: "normal",
    onCommit: () => undefined,
    logger: quiet,
  });

  /** An empty conversation. */
  async function begin({ locale = "en", metadata = {}, conversation_id = randomUUID() }: Beginning = {}) {
    const agents = new Map<string, Agent>(STAGES.map((stage) => [stage, agentIn(stage)]));
    const logged: object[] = [];
    const append = (type: string, payload: JsonObject) =>
      storage.log.append([
        {
          ...{ id: randomUUID(), conversation_id, type, payload, actor: null, agent_id: null, run_id: null },
          ...{ parent_run_id: null, caused_by: null, occurred_at: null },
        },
      ]);
    await append("conversation.created", { metadata });
    // Created for each step, as after a restart.
    const director = () =>
      createDirector({
        ...storage,
        mainGraph,
        agents: { forStage: (stage) => agents.get(stage) },
        logger: { warn: (fields, message) => logged.push({ ...fields, message }) },
      });

    /** Writes a value of the dialog's state, as an operator does. */
    async function put(key: string, value: Json): Promise<void> {
      const agentId = `dialog:${conversation_id}`;
      await storage.log.putAgentState({ agentId, key, value, expect: { kind: "any" }, actor: "operator:test" });
    }

    return {
      conversation_id,
      agents,
      logged,
      put,
      /** A stored value of the dialog. */
      kept: async (key: string) => (await storage.agentStates.get(`dialog:${conversation_id}`, key))?.value,
      /** The stage in the list. */
      shown: async () => (await storage.conversations.get(conversation_id))?.stage,
      /**
       * A turn in which each step has a new director. `say` answers for the agent; `between` runs before each step
       * except the first; without `keeping` no events are stored.
       */
      async turn(
        message: string,
        say: (speaker: Asked, part: number) => Says,
        { keeping = true, between }: { keeping?: boolean; between?: () => Promise<void> } = {},
      ) {
        const message_id = randomUUID();
        await append("message.created", { message_id, role: "user", content: message });
        const parts: SpokenPart[] = [];
        const asked: Asked[] = [];
        const directions: Direction[] = [];
        const ids = { conversation_id, run_id: "r", message_id, user_id: null };
        for (;;) {
          if (directions.length > 0) await between?.();
          const direction = await director().next({ ...ids, locale, told: nodesOf(directions), parts: [...parts] });
          directions.push(direction);
          if (keeping) for (const { type, payload } of direction.events) await append(type, payload);
          if (direction.kind === "answer") return { text: direction.text, asked, directions };
          asked.push(direction.speaker);
          parts.push(partOf(direction.speaker, say(direction.speaker, parts.length)));
        }
      },
    };
  }

  return {
    begin,
    async close() {
      await storage.close();
      await rm(folder, { recursive: true });
    },
  };
}

function partOf({ node, agent_id }: Asked, says: Says): SpokenPart {
  const nothing = { node, agent_id, answer: null, used_tools: [], handed_over: null, response_id: null };
  return { ...nothing, ...(typeof says === "string" ? { answer: says } : says) };
}

/** The nodes in directions, in order. */
export function nodesOf(directions: readonly Direction[]) {
  return directions
    .flatMap(({ events }) => events)
    .flatMap((event) => (event.type === "stage.entered" ? [event.payload] : []));
}
