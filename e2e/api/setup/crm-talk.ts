import { expect } from "vitest";
import type { JsonObject } from "../../../lib/session/json/json.ts";
import { readEvents } from "./event-source.ts";
import type { Reply, TestServer } from "./server.ts";

/** A message of the API. */
export interface Said {
  role: string;
  content: string;
  run_id: string | null;
  metadata: { warnings?: string[]; awaits?: string[]; failed?: boolean; planned?: boolean } | null;
}

export const ENDS = ["run.finished", "run.failed", "run.cancelled"];
/** An end, or a wait for approval. */
const RESTS = [...ENDS, "run.waiting"];

/** A run and its conversation. */
interface Run {
  conversation_id: string;
  run_id: string;
}

/** Resolves when a run has one of these events, after the event with `after` (seq). */
export async function until(server: TestServer, run: Run, types: readonly string[], after = 0): Promise<void> {
  const events = await readEvents(server.url, `/api/stream?conversation_id=${run.conversation_id}&after=0`);
  await events.find(({ type, data }) => data.run_id === run.run_id && data.seq > after && types.includes(type));
  events.close();
}

/** Creates a user's conversation with the CRM agent, named after the user. */
export async function talkAs(server: TestServer, user: string) {
  const about = { id: user, user_id: user };
  expect((await server.post("/api/conversations", { ...about, channel: "api", agent_id: "crm" })).status).toBe(201);
  const here = `/api/conversations/${user}`;
  const read = async (path: string) => (await server.get(path)).body;
  const messages = async (): Promise<Said[]> => (await read(`${here}/messages?limit=200`)).items;

  /** Sends a message; returns the run that answers it. */
  async function say(content: string): Promise<string> {
    const { status, body } = await server.post(`${here}/messages`, { content });
    expect([status, body.detail]).toEqual([202, undefined]);
    return body.run_id;
  }

  return {
    say,
    messages,
    /** The same, and waits until the turn has ended or is waiting. */
    async turn(content: string): Promise<string> {
      const run_id = await say(content);
      await until(server, { conversation_id: user, run_id }, RESTS);
      return run_id;
    },
    /** Resolves when a run of this conversation has ended. */
    ended: (run_id: string, after = 0) => until(server, { conversation_id: user, run_id }, ENDS, after),
    /** The agent's messages, oldest first. */
    answers: async () => (await messages()).filter(({ role }) => role === "assistant").map(({ content }) => content),
    /** The user's stored memory. */
    memory: () => read(`/api/agent-state/memory:${user}/memory`),
    /** Pending confirmations. */
    waiting: async () => (await read(`/api/confirmations?status=requested&conversation_id=${user}`)).items,
    decide: (id: string, decision: JsonObject): Promise<Reply> =>
      server.post(`/api/confirmations/${id}/decision`, decision),
    view: () => read(`${here}/view`),
  };
}
