import { type AGUIEvent, EventType } from "@ag-ui/core";
import { EventSchemas } from "@ag-ui/core/schemas";
import { EventSourceParserStream } from "eventsource-parser/stream";
import { describe, expect, it } from "vitest";
import { breaches } from "../../../lib/intake/ag-ui/testing/protocol.ts";
import { readEvents } from "../setup/event-source.ts";
import { withServer } from "../setup/server.ts";
import { createWaiting } from "../setup/waiting.ts";

const server = withServer();
const other = withServer();
const NDJSON = "application/x-ndjson";

/** A run that looks up an order and reports its state. */
function story(threadId: string, runId = "run"): AGUIEvent[] {
  const place = { threadId, runId };
  return [
    {
      ...{ type: EventType.RUN_STARTED, ...place, timestamp: Date.UTC(2026, 10, 22, 12) },
      input: {
        ...place,
        messages: [{ id: `${runId}-q`, role: "user", content: "Wo ist 88412?" }],
        tools: [],
        context: [],
      },
    },
    { type: EventType.STATE_SNAPSHOT, snapshot: { order: { id: 88412 } } },
    { type: EventType.TOOL_CALL_START, toolCallId: `${runId}-find`, toolCallName: "orders.find" },
    { type: EventType.TOOL_CALL_ARGS, toolCallId: `${runId}-find`, delta: '{"id":' },
    { type: EventType.TOOL_CALL_ARGS, toolCallId: `${runId}-find`, delta: "88412}" },
    { type: EventType.TOOL_CALL_END, toolCallId: `${runId}-find` },
    {
      type: EventType.TOOL_CALL_RESULT,
      messageId: `${runId}-r`,
      toolCallId: `${runId}-find`,
      content: '{"place":"Köln"}',
    },
    { type: EventType.STATE_DELTA, delta: [{ op: "add", path: "/order/place", value: "Köln" }] },
    { type: EventType.TEXT_MESSAGE_START, messageId: `${runId}-a`, role: "assistant" },
    { type: EventType.TEXT_MESSAGE_CONTENT, messageId: `${runId}-a`, delta: "In " },
    { type: EventType.TEXT_MESSAGE_CONTENT, messageId: `${runId}-a`, delta: "Köln." },
    { type: EventType.TEXT_MESSAGE_END, messageId: `${runId}-a` },
    { type: EventType.RUN_FINISHED, ...place },
  ];
}

const asLines = (events: readonly unknown[]) => events.map((event) => `${JSON.stringify(event)}\n`).join("");
const asFrames = (events: readonly unknown[]) => events.map((event) => `data: ${JSON.stringify(event)}\n\n`).join("");
const view = async (at: typeof server, id: string) => (await at.get(`/api/conversations/${id}/view`)).body;

/** A session without fields of the log. */
const essence = async (at: typeof server, id: string) => {
  const { messages, runs, calls } = await view(at, id);
  return {
    messages: messages.map(({ role, content }: { role: string; content: string }) => [role, content]),
    runs: runs.map(({ status, state }: { status: string; state: unknown }) => [status, state]),
    calls: calls.map(({ tool, status, params, output }: Record<string, unknown>) => [tool, status, params, output]),
  };
};

/** Reads a conversation as AG-UI until an event matches. */
async function readAgUi(at: typeof server, path: string, isLast: (event: AGUIEvent) => boolean) {
  const abort = new AbortController();
  const response = await fetch(`${at.url}${path}`, { signal: abort.signal });
  const events: AGUIEvent[] = [];
  const frames = response.body?.pipeThrough(new TextDecoderStream()).pipeThrough(new EventSourceParserStream());
  for await (const { data } of frames ?? []) {
    events.push(EventSchemas.parse(JSON.parse(data)));
    if (events.some(isLast)) break;
  }
  abort.abort();
  return events;
}

describe("AG-UI: a run is recorded as it streams in", () => {
  it.each([
    ["an event a line", asLines, NDJSON],
    ["server-sent events", asFrames, "text/event-stream"],
    ["an array", JSON.stringify, "application/json"],
  ])("as %s", async (name, write, type) => {
    const id = `told as ${name}`;
    const sent = write(story(id, id));
    const first = await server.postRaw("/api/ag-ui", sent, type);
    expect([first.status, first.body]).toEqual([
      201,
      expect.objectContaining({
        conversation_id: id,
        run_id: id,
        received: 13,
        duplicates: 0,
        ended: true,
        unfinished: [],
      }),
    ]);
    expect(await essence(server, id)).toEqual({
      messages: [
        ["user", "Wo ist 88412?"],
        ["assistant", "In Köln."],
      ],
      runs: [["finished", { "": { order: { id: 88412, place: "Köln" } } }]],
      calls: [["orders.find", "succeeded", { id: 88412 }, { place: "Köln" }]],
    });
    const again = await server.postRaw("/api/ag-ui", sent, type);
    expect(again.body).toMatchObject({ received: 13, events: 0, ended: true });
  });

  it("stores complete events during the request, and keeps those before a broken connection", async () => {
    const log = await readEvents(server.url, "/api/stream");
    const { waitFor, look } = createWaiting();
    let send: ReadableStreamDefaultController<Uint8Array> | null = null;
    const body = new ReadableStream<Uint8Array>({
      start(controller) {
        send = controller;
        look();
      },
    });
    const controller = await waitFor(() => send ?? undefined);
    const abort = new AbortController();
    const request = fetch(`${server.url}/api/ag-ui`, {
      ...{ method: "POST", headers: { "content-type": NDJSON }, body, signal: abort.signal },
      duplex: "half",
    } as RequestInit);
    const broken = expect(request).rejects.toThrow();
    controller.enqueue(Buffer.from(asLines(story("live").slice(0, 7))));
    await log.find(({ data, type }) => data.conversation_id === "live" && type === "call.succeeded");
    controller.enqueue(Buffer.from(asLines(story("live").slice(7, 10))));
    await log.find(
      ({ data, type }) =>
        data.conversation_id === "live" && data.payload.path === "†state.order.place" && type === "state.written",
    );
    abort.abort();
    await broken;
    expect((await view(server, "live")).messages).toHaveLength(1);

    const rest = await server.postRaw("/api/ag-ui", asLines(story("live")), NDJSON);
    expect(rest.body).toMatchObject({ ended: true });
    expect((await essence(server, "live")).runs).toEqual([
      ["finished", { "": { order: { id: 88412, place: "Köln" } } }],
    ]);
    log.close();
  });

  it("continues in another request with the run's id", async () => {
    const cut = story("cut");
    const first = await server.postRaw("/api/ag-ui", asLines(cut.slice(0, 10)), NDJSON);
    expect(first.body).toMatchObject({ ended: false, unfinished: [{ kind: "message", id: "run-a" }] });
    const rest = await server.postRaw("/api/ag-ui?thread_id=cut&run_id=run", asLines(cut.slice(10)), NDJSON);
    expect(rest.body).toMatchObject({ conversation_id: "cut", run_id: "run", ended: true });
    expect((await essence(server, "cut")).messages[1]).toEqual(["assistant", "In Köln."]);
  });

  it("returns the line of an error, and keeps earlier events", async () => {
    const lines = asLines([...story("wrong").slice(0, 2), { type: "TEXT_MESSAGE_CONTENT", messageId: "m" }]);
    expect(await server.postRaw("/api/ag-ui", lines, NDJSON)).toMatchObject({
      status: 400,
      body: { code: "invalid_input", detail: expect.stringContaining("Line 3: TEXT_MESSAGE_CONTENT: delta") },
    });
    expect((await view(server, "wrong")).runs).toMatchObject([{ status: "running" }]);
    expect(await server.postRaw("/api/ag-ui", asLines(story("x").slice(1)), NDJSON)).toMatchObject({
      status: 400,
      body: { detail: expect.stringContaining("a stream must start with RUN_STARTED") },
    });
    expect(await server.postRaw("/api/ag-ui", "{", NDJSON)).toMatchObject({ status: 400 });
    expect(await server.postRaw("/api/ag-ui", "{}", "text/plain")).toMatchObject({ status: 415 });
    expect(await server.postRaw("/api/ag-ui?thread_id=x", "", NDJSON)).toMatchObject({ status: 400 });
  });
});

describe("AG-UI: a conversation is streamed live", () => {
  it("in the protocol's order; ingested elsewhere it is the same session", async () => {
    await server.postRaw("/api/ag-ui", asLines(story("round", "one")), NDJSON);
    const reading = readAgUi(
      server,
      "/api/conversations/round/ag-ui",
      (event) => event.type === EventType.RUN_FINISHED && event.runId === "two",
    );
    await server.postRaw("/api/ag-ui", asLines(story("round", "two")), NDJSON);
    const given = await reading;
    expect(breaches(given)).toEqual([]);
    expect((await other.postRaw("/api/ag-ui", asFrames(given), "text/event-stream")).status).toBe(201);
    expect(await essence(other, "round")).toEqual(await essence(server, "round"));
  });

  it("from a step, with the state at that step", async () => {
    await server.postRaw("/api/ag-ui", asLines(story("late").slice(0, -1)), NDJSON);
    const events = (await server.get("/api/conversations/late/events?limit=200")).body.items;
    const { seq } = events.find(({ type }: { type: string }) => type === "call.started");
    const given = await readAgUi(
      server,
      `/api/conversations/late/ag-ui?from=${seq}`,
      ({ type }) => type === EventType.TEXT_MESSAGE_END,
    );
    expect(breaches(given)).toEqual([]);
    expect(given.slice(0, 2)).toMatchObject([
      { type: EventType.RUN_STARTED, runId: "run" },
      { type: EventType.STATE_SNAPSHOT, snapshot: { order: { id: 88412 } } },
    ]);
  });

  it("ends with the requested run", async () => {
    await server.postRaw("/api/ag-ui", asLines(story("ends")), NDJSON);
    const given = await readAgUi(server, "/api/conversations/ends/ag-ui?run_id=run", () => false);
    expect(given.at(-1)).toMatchObject({ type: EventType.RUN_FINISHED, runId: "run" });
    expect(await server.get("/api/conversations/nobody/ag-ui")).toMatchObject({ status: 404 });
    const unknown = await server.get("/api/conversations/ends/ag-ui?run_id=nobody");
    expect([unknown.status, unknown.body.detail]).toEqual([404, expect.stringContaining("No run nobody has started")]);
  });
});
