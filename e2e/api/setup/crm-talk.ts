import { expect } from "vitest";
import type { JsonObject } from "../../../lib/session/json/json.ts";
import { readEvents } from "./event-source.ts";
import type { Reply, TestServer } from "./server.ts";

/** A message as the API lists it. */
export interface Said {
  role: string;
  content: string;
  run_id: string | null;
  metadata: { warnings?: string[]; awaits?: string[]; failed?: boolean; planned?: boolean } | null;
}

export const ENDS = ["run.finished", "run.failed", "run.cancelled"];
/** An end, or a person's turn. */
const RESTS = [...ENDS, "run.waiting"];

/** A run, and where it is recorded. */
interface Run {
  conversation_id: string;
  run_id: string;
}

/** Resolves when a run has come to one of these, after the event with `after` (seq). */
export async function until(server: TestServer, run: Run, types: readonly string[], after = 0): Promise<void> {
  const events = await readEvents(server.url, `/api/stream?conversation_id=${run.conversation_id}&after=0`);
  await events.find(({ type, data }) => data.run_id === run.run_id && data.seq > after && types.includes(type));
  events.close();
}

/** One user's conversation with the agent of the CRM, named after the user. Begins it. */
export async function talkAs(server: TestServer, user: string) {
  const about = { id: user, user_id: user };
  expect((await server.post("/api/conversations", { ...about, channel: "api", agent_id: "crm" })).status).toBe(201);
  const here = `/api/conversations/${user}`;
  const read = async (path: string) => (await server.get(path)).body;
  const messages = async (): Promise<Said[]> => (await read(`${here}/messages?limit=200`)).items;

  /** Says something; answers the run that is its turn. */
  async function say(content: string): Promise<string> {
    const { status, body } = await server.post(`${here}/messages`, { content });
    expect([status, body.detail]).toEqual([202, undefined]);
    return body.run_id;
  }

  return {
    say,
    messages,
    /** The same, and waits until its turn has ended, or waits for a person. */
    async turn(content: string): Promise<string> {
      const run_id = await say(content);
      await until(server, { conversation_id: user, run_id }, RESTS);
      return run_id;
    },
    /** Resolves when a run of this conversation has ended. */
    ended: (run_id: string, after = 0) => until(server, { conversation_id: user, run_id }, ENDS, after),
    /** What the agent has said, oldest first. */
    answers: async () => (await messages()).filter(({ role }) => role === "assistant").map(({ content }) => content),
    /** The user's stored memory. */
    memory: () => read(`/api/agent-state/memory:${user}/memory`),
    /** What waits for a person. */
    waiting: async () => (await read(`/api/confirmations?status=requested&conversation_id=${user}`)).items,
    decide: (id: string, decision: JsonObject): Promise<Reply> =>
      server.post(`/api/confirmations/${id}/decision`, decision),
    view: () => read(`${here}/view`),
  };
}
