import { EventSourceParserStream } from "eventsource-parser/stream";
import { z } from "zod";

/** What clients were told that it is there, and what they saw. */
export interface Told {
  runs: { run_id: string; conversation_id: string }[];
  /** Events that were posted, by id. */
  events: string[];
  /** Messages, in the order in which each conversation's were sent. */
  messages: Map<string, string[]>;
  /** Decisions that were answered with 200, by confirmation. */
  decisions: Map<string, string[]>;
  /** Conversations that were imported, with how many events each has. */
  imports: Map<string, number>;
  /** What each follower saw: positions and ids. */
  followers: { position: number; id: string }[][];
  /** How often a request had to be repeated, and a stream opened again. */
  repeated: number;
  reopened: number;
}

/** Clients of a server, which repeat what fails, as real ones do. */
export interface Clients {
  told: Told;
  /** Asks for no more. Resolves when what was begun is answered. */
  stop(): Promise<void>;
  /** Ends the followers, once they have seen the position. */
  stopFollowing(position: number): Promise<void>;
}

const RETRY_MS = 250;
const AGAIN = new Set([429, 500, 502, 503, 504]);

export function startClients(address: string, tools: readonly object[]): Clients {
  const told: Told = {
    ...{ runs: [], events: [], messages: new Map(), decisions: new Map(), imports: new Map(), followers: [] },
    ...{ repeated: 0, reopened: 0 },
  };
  let isStopped = false;
  let isDeciding = true;
  const following = new AbortController();

  async function once(
    method: string,
    path: string,
    value?: object | string,
  ): Promise<{ status: number; body: unknown }> {
    const isText = typeof value === "string";
    const response = await fetch(`${address}${path}`, {
      method,
      signal: AbortSignal.timeout(30_000),
      ...(value !== undefined && {
        headers: { "content-type": isText ? "application/x-ndjson" : "application/json" },
        body: isText ? value : JSON.stringify(value),
      }),
    });
    const text = await response.text();
    const isJson = response.headers.get("content-type")?.includes("json") && !path.endsWith("/export");
    return { status: response.status, body: isJson ? JSON.parse(text) : text };
  }

  /** Repeats what fails for a reason that passes. */
  async function ask(method: string, path: string, value?: object | string) {
    for (;;) {
      try {
        const answer = await once(method, path, value);
        if (!AGAIN.has(answer.status)) return answer;
      } catch {
        // No answer: whether it was done is not known.
      }
      told.repeated += 1;
      await pause(RETRY_MS);
    }
  }

  async function accepted(method: string, path: string, value: object): Promise<unknown> {
    const { status, body } = await ask(method, path, value);
    if (status >= 300) throw new Error(`${method} ${path} was refused with ${status}: ${JSON.stringify(body)}`);
    return body;
  }

  async function runPlans(lane: number): Promise<void> {
    const call = (id: string, tool: string, after: string[]) => ({
      ...{ _tool: tool, _id: id, _outputPath: `†state.${id}` },
      ...Object.fromEntries(after.map((before) => [`after_${before}`, `†state.${before}`])),
    });
    const plan = [
      call("a", "pay", []),
      call("b", "store", ["a"]),
      call("c", "pay", ["a"]),
      call("d", "charge", ["b"]),
      call("e", "store", ["c", "d"]),
      call("f", "pay", ["e"]),
    ];
    while (!isStopped) {
      const user = lane % 2 === 0 ? { user_id: `planner-${lane % 4}` } : {};
      // Without an answer it may have begun, and another one begins.
      const answer = await once("POST", "/api/plans/run", { plan, tools, ...user }).catch(() => null);
      if (answer?.status === 202) told.runs.push(started.parse(answer.body));
      else told.repeated += 1;
      await pause(1_500 + Math.random() * 1_500);
    }
  }

  async function decide(): Promise<void> {
    while (isDeciding) {
      const listed = await once("GET", "/api/confirmations?status=requested&limit=50").catch(() => null);
      const items = confirmations.safeParse(listed?.body).data?.items ?? [];
      await Promise.all(items.map((item) => decideOne(item)));
      await pause(300);
    }
  }

  async function decideOne({ id, cause }: { id: string; cause: string }): Promise<void> {
    const approve = cause === "interrupted" ? { decision: "approve", result: { ok: true } } : { decision: "approve" };
    const deny = { decision: "deny" };
    // Sometimes two people decide at once, at different replicas.
    const both = Math.random() < 0.3 ? [approve, deny] : [Math.random() < 0.85 ? approve : deny];
    const answers = await Promise.all(
      both.map(async (decision) => {
        const answer = await once("POST", `/api/confirmations/${id}/decision`, decision).catch(() => null);
        return answer?.status === 200 ? [decision.decision] : [];
      }),
    );
    told.decisions.set(id, [...(told.decisions.get(id) ?? []), ...answers.flat()]);
  }

  async function talk(user: number): Promise<void> {
    const id = `talk-${user}`;
    await ask("POST", "/api/conversations", { id, user_id: `talker-${user}`, channel: "api", agent_id: "crm" });
    const sent: string[] = [];
    told.messages.set(id, sent);
    for (let number = 1; !isStopped; number += 1) {
      const message_id = `${id}-${number}`;
      await accepted("POST", `/api/conversations/${id}/messages`, { content: `hello ${number}`, message_id });
      sent.push(message_id);
      await pause(500 + Math.random() * 2_000);
    }
  }

  async function post(lane: number): Promise<void> {
    for (let batch = 0; !isStopped; batch += 1) {
      const events = Array.from({ length: 20 }, (_, index) => ({
        ...{ id: `posted-${lane}-${batch}-${index}`, conversation_id: `posted-${lane}-${Math.floor(batch / 50)}` },
        ...{ type: "log", payload: { batch, index } },
      }));
      await accepted("POST", "/api/events", events);
      told.events.push(...events.map(({ id }) => id));
      await pause(200 + Math.random() * 300);
    }
  }

  async function importFiles(): Promise<void> {
    const events = Array.from({ length: 300 }, (_, index) => ({
      ...{ id: `source-${index}`, conversation_id: "import-source", type: "log", payload: { index } },
    }));
    await accepted("POST", "/api/events", events);
    const { body: file } = await ask("GET", "/api/conversations/import-source/export");
    while (!isStopped) {
      const answer = await once("POST", "/api/import?as=copy", String(file)).catch(() => null);
      const made = imported.safeParse(answer?.body).data?.conversations ?? [];
      if (answer?.status === 201) for (const one of made) told.imports.set(one.conversation_id, one.events);
      else told.repeated += 1;
      await pause(4_000);
    }
  }

  async function follow(): Promise<void> {
    const seen: { position: number; id: string }[] = [];
    told.followers.push(seen);
    while (!following.signal.aborted) {
      try {
        const headers = { "last-event-id": String(seen.at(-1)?.position ?? 0) };
        const response = await fetch(`${address}/api/stream`, { headers, signal: following.signal });
        if (!response.ok || !response.body) throw new Error(`the stream was refused with ${response.status}`);
        const lines = response.body.pipeThrough(new TextDecoderStream()).pipeThrough(new EventSourceParserStream());
        for await (const { id, data } of lines)
          if (id) seen.push({ position: Number(id), id: streamed.parse(JSON.parse(data)).id });
      } catch {
        // It is opened again, at another replica.
      }
      if (following.signal.aborted) return;
      told.reopened += 1;
      await pause(RETRY_MS);
    }
  }

  const deciding = decide();
  const asking = [
    ...Array.from({ length: 6 }, (_, lane) => runPlans(lane)),
    ...Array.from({ length: 4 }, (_, user) => talk(user)),
    ...Array.from({ length: 3 }, (_, lane) => post(lane)),
    importFiles(),
  ];
  const followers = [follow(), follow()];
  const failed = Promise.all(asking);
  // Told when stopped.
  failed.catch(() => undefined);
  return {
    told,
    async stop() {
      isStopped = true;
      await failed;
    },
    async stopFollowing(position) {
      isDeciding = false;
      await deciding;
      const until = performance.now() + 60_000;
      while (performance.now() < until && told.followers.some((seen) => (seen.at(-1)?.position ?? 0) < position))
        await pause(100);
      following.abort();
      await Promise.all(followers);
    },
  };
}

export const pause = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms));

const started = z.object({ run_id: z.string(), conversation_id: z.string() });
const confirmations = z.object({ items: z.array(z.object({ id: z.string(), cause: z.string() })) });
const imported = z.object({
  conversations: z.array(z.object({ conversation_id: z.string(), events: z.number() })),
});
const streamed = z.object({ id: z.string() });
