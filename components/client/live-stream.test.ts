import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import type { SessionEvent } from "@/lib/session/event.ts";
import { Drafts } from "./drafts.ts";
import { createHub, type HubMessage } from "./live-hub.ts";
import { type Connection, openStream } from "./live-stream.ts";

type Answer = (request: IncomingMessage, response: ServerResponse) => void;

const frame = (position: number, conversation = "a") =>
  `id: ${position}\nevent: log\ndata: ${JSON.stringify({ position, conversation_id: conversation })}\n\n`;

// Pages and workers are event targets, Node's global is not.
const page = new EventTarget();
vi.stubGlobal("addEventListener", page.addEventListener.bind(page));
vi.stubGlobal("removeEventListener", page.removeEventListener.bind(page));

let server: Server;
let url: string;
let answer: Answer;

beforeEach(async () => {
  server = createServer((request, response) => answer(request, response));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("The test's server listens on no port");
  url = `http://127.0.0.1:${address.port}/stream`;
});

/** Each test has closed its streams: one left open would go on in the tests of another file. */
afterEach(() => new Promise((resolve) => server.close(resolve)));

function stream(response: ServerResponse, text: string): void {
  response.writeHead(200, { "content-type": "text/event-stream" });
  response.write(text);
}

describe("C12: no event is lost when the connection drops", () => {
  it("resumes after the last received event and reports each state", async () => {
    const asked: (string | string[] | undefined)[] = [];
    answer = (request, response) => {
      asked.push(request.headers["last-event-id"]);
      if (asked.length === 1) {
        stream(response, frame(7) + frame(8));
        response.end();
      } else if (asked.length === 2) response.writeHead(503).end();
      else stream(response, frame(9));
    };
    const heard: number[] = [];
    const states: Connection[] = [];
    const { promise, resolve } = Promise.withResolvers<void>();
    const open = openStream({
      url,
      onDraft: () => undefined,
      onConnection: (state) => states.push(state),
      onEvents: (events) => {
        heard.push(...events.map(({ position }) => position));
        if (heard.includes(9)) resolve();
      },
    });
    await promise;
    open.close();
    expect(heard).toEqual([7, 8, 9]);
    expect(asked).toEqual([undefined, "8", "8"]);
    expect(states).toEqual(["connecting", "live", "reconnecting", "reconnecting", "live"]);
  });

  it("starts over when the server has a new log that ends before the last received event", async () => {
    const asked: (string | string[] | undefined)[] = [];
    const { promise, resolve } = Promise.withResolvers<void>();
    answer = (request, response) => {
      asked.push(request.headers["last-event-id"]);
      if (asked.length === 1) {
        stream(response, frame(900));
        response.end();
      } else if (asked.length === 2) response.writeHead(400).end();
      else {
        stream(response, frame(1));
        resolve();
      }
    };
    const open = openStream({
      url,
      onConnection: () => undefined,
      onDraft: () => undefined,
      onEvents: () => undefined,
    });
    await promise;
    open.close();
    expect(asked).toEqual([undefined, "900", undefined]);
  });

  it("reports that the user is signed out, and resumes after the next sign-in", async () => {
    const asked: (string | string[] | undefined)[] = [];
    answer = (request, response) => {
      asked.push(request.headers["last-event-id"]);
      if (asked.length === 2) return void response.writeHead(401).end();
      stream(response, frame(asked.length));
      if (asked.length === 1) response.end();
    };
    const states: Connection[] = [];
    const { promise, resolve } = Promise.withResolvers<void>();
    const open = openStream({
      url,
      onDraft: () => undefined,
      onConnection: (state) => states.push(state),
      onEvents: () => asked.length === 3 && resolve(),
    });
    await promise;
    open.close();
    expect(asked).toEqual([undefined, "1", "1"]);
    expect(states).toEqual(["connecting", "live", "reconnecting", "signed_out", "live"]);
  });

  it("delivers events of one chunk together, also when a chunk ends within an event", async () => {
    const text = frame(1) + frame(2);
    const { promise: firstHeard, resolve: hearFirst } = Promise.withResolvers<void>();
    answer = async (_request, response) => {
      stream(response, frame(0) + text.slice(0, 20));
      await firstHeard;
      response.write(text.slice(20));
    };
    const batches: number[][] = [];
    const { promise, resolve } = Promise.withResolvers<void>();
    const open = openStream({
      url,
      onConnection: () => undefined,
      onDraft: () => undefined,
      onEvents: (events: SessionEvent[]) => {
        batches.push(events.map(({ position }) => position));
        hearFirst();
        if (batches.length === 2) resolve();
      },
    });
    await promise;
    open.close();
    expect(batches).toEqual([[0], [1, 2]]);
  });
});

describe("C: one stream for all tabs", () => {
  it("delivers to each page what it subscribed to, over one connection", async () => {
    let connections = 0;
    answer = (_request, response) => {
      connections += 1;
      stream(response, frame(1, "a") + frame(2, "b"));
    };
    const hub = createHub(url, 0);
    const pages = [["a"], null, []].map((conversations) => {
      const told: HubMessage[] = [];
      const page = hub.join((message) => told.push(message));
      page.watch({ version: 1, present: true, conversations, drafts: [] });
      return { told, leave: () => page.watch({ version: 2, present: false, conversations: [], drafts: [] }) };
    });
    const positions = () =>
      pages.map(({ told }) =>
        told.flatMap((m) => (m.kind === "events" ? m.events.map((event) => event.position) : [])),
      );
    await vi.waitFor(() => expect(positions()).toEqual([[1], [1, 2], []]));
    expect(pages.every(({ told }) => told.some((m) => m.kind === "connection" && m.connection === "live"))).toBe(true);
    expect(connections).toBe(1);
    for (const { leave } of pages) leave();
  });

  it("acknowledges each subscription with the connection's state, so that a page knows from when on it is complete", () => {
    answer = () => undefined;
    const told: HubMessage[] = [];
    const page = createHub(url, 0).join((message) => told.push(message));
    page.watch({ version: 1, present: true, conversations: ["a"], drafts: [] });
    page.watch({ version: 2, present: true, conversations: ["b"], drafts: [] });
    expect(told.at(-1)).toEqual({ kind: "connection", connection: "connecting", version: 2 });
    page.watch({ version: 3, present: false, conversations: [], drafts: [] });
  });
});

describe("E13: drafts reach the pages that show them", () => {
  const piece = (conversation_id: string, offset: number, text: string) => {
    const draft = { conversation_id, run_id: `run of ${conversation_id}`, agent_id: "crm", offset, text };
    return `event: message.draft\ndata: ${JSON.stringify(draft)}\n\n`;
  };
  const textOf = (told: HubMessage[]) => {
    const drafts = new Drafts();
    for (const message of told) if (message.kind === "draft") expect(drafts.take(message.piece)).toBe(true);
    return drafts.get("run of a")?.text;
  };

  it("are sent to subscribers of the conversation, and in full to a later one", async () => {
    const { promise: later, resolve: joinLater } = Promise.withResolvers<void>();
    answer = async (_request, response) => {
      stream(response, piece("a", 0, "It ") + piece("b", 0, "Other") + piece("a", 3, "is"));
      await later;
      response.write(piece("a", 5, " warm"));
    };
    const hub = createHub(url, 0);
    const join = (drafts: string[]) => {
      const told: HubMessage[] = [];
      const seat = hub.join((message) => told.push(message));
      seat.watch({ version: 1, present: true, conversations: null, drafts });
      return { told, leave: () => seat.watch({ version: 2, present: false, conversations: [], drafts: [] }) };
    };
    const [early, elsewhere] = [join(["a"]), join([])];
    await vi.waitFor(() => expect(textOf(early.told)).toBe("It is"));
    const late = join(["a"]);
    expect(textOf(late.told)).toBe("It is");
    joinLater();
    for (const { told } of [early, late]) await vi.waitFor(() => expect(textOf(told)).toBe("It is warm"));
    expect(elsewhere.told.some(({ kind }) => kind === "draft")).toBe(false);
    for (const { leave } of [early, elsewhere, late]) leave();
  });

  it("keep their order among events, and do not change the position to resume from", async () => {
    const asked: (string | string[] | undefined)[] = [];
    const heard: (number | string)[] = [];
    const { promise, resolve } = Promise.withResolvers<void>();
    answer = (request, response) => {
      asked.push(request.headers["last-event-id"]);
      if (asked.length === 2) return resolve();
      stream(response, frame(1) + piece("a", 0, "It") + frame(2));
      response.end();
    };
    const open = openStream({
      url,
      onConnection: () => undefined,
      onDraft: ({ text }) => heard.push(text),
      onEvents: (events) => heard.push(...events.map(({ position }) => position)),
    });
    await promise;
    open.close();
    expect(heard).toEqual([1, "It", 2]);
    expect(asked).toEqual([undefined, "2"]);
  });
});

describe("C11: pages are told how many traces are incomplete", () => {
  it("also a page that opens later, and that there are none after the connection is lost", async () => {
    const { promise: over, resolve: end } = Promise.withResolvers<void>();
    answer = async (_request, response) => {
      stream(response, 'event: traces.waiting\ndata: {"count":2}\n\n');
      await over;
      response.end();
    };
    const hub = createHub(url, 0);
    const join = () => {
      const told: HubMessage[] = [];
      const seat = hub.join((message) => told.push(message));
      seat.watch({ version: 1, present: true, conversations: null, drafts: [] });
      const counts = () => told.flatMap((message) => (message.kind === "waiting" ? [message.count] : []));
      return { counts, leave: () => seat.watch({ version: 2, present: false, conversations: [], drafts: [] }) };
    };
    const early = join();
    await vi.waitFor(() => expect(early.counts()).toEqual([2]));
    const late = join();
    expect(late.counts()).toEqual([2]);
    answer = () => undefined;
    end();
    await vi.waitFor(() =>
      expect([early.counts(), late.counts()]).toEqual([
        [2, 0],
        [2, 0],
      ]),
    );
    for (const { leave } of [early, late]) leave();
  });
});
