import { afterEach, beforeEach, expect, test } from "vitest";
import { printSpan } from "../../intake/otlp/stored-span.ts";
import { jsonRequest, protobufRequest } from "../../intake/otlp/testing/request.ts";
import { TRACE, twoToolAgent } from "../../intake/otlp/testing/spans.ts";
import type { Received } from "../../traces/receive.ts";
import { createTraceMapping, type TraceMapping } from "../../traces/trace-mapping.ts";
import { createLogger } from "../logger.ts";
import { readOtlpRequest } from "./otlp-request.ts";
import { createSpanReader, type SpanReader } from "./span-reader.ts";

let reader: SpanReader;

beforeEach(() => {
  reader = createSpanReader(createLogger("silent", []));
});

afterEach(() => reader.close());

/** A request that is large enough for the thread, with a number of traces. */
const request = async (traces: number, encoding: "protobuf" | "json" = "protobuf") => {
  const spans = Array.from({ length: traces }, (_, n) =>
    twoToolAgent().map((span) => ({ ...span, trace_id: n.toString(16).padStart(32, "a") })),
  );
  const bytes =
    encoding === "json" ? Buffer.from(JSON.stringify(jsonRequest(spans.flat()))) : await protobufRequest(spans.flat());
  return { signal: "traces", encoding, bytes } as const;
};

const countOf = ({ spans }: Received) => spans.reduce((sum, { heads }) => sum + heads.length, 0);
const listOf = (contents: readonly string[]) => new Uint8Array(Buffer.from(`[${contents}]`));

test.each(["protobuf", "json"] as const)(
  "E15: a request gives the same spans in the thread as where it arrives: %s",
  async (encoding) => {
    const large = await request(200, encoding);
    expect(large.bytes.length).toBeGreaterThan(64 * 1024);
    expect(await reader.receive(large)).toEqual(await readOtlpRequest(large));
  },
);

test("E15: concurrent requests each get their own spans", async () => {
  const requests = await Promise.all([200, 300, 1, 250].map((traces) => request(traces)));
  const received = await Promise.all(requests.map((one) => reader.receive(one)));
  expect(received.map(countOf)).toEqual([1_200, 1_800, 6, 1_500]);
});

test("E15: invalid requests are refused as in the main thread, and the next is parsed", async () => {
  const bytes = Buffer.alloc(3_000_000, Buffer.from([0x0a, 0x00]));
  const refused = await readOtlpRequest({ signal: "traces", encoding: "protobuf", bytes }).catch(
    (error: unknown) => error,
  );
  await expect(reader.receive({ signal: "traces", encoding: "protobuf", bytes })).rejects.toEqual(refused);
  expect(refused).toMatchObject({ name: "MalformedSpans", tooLarge: true });
  const text = Buffer.from(`{"resourceSpans":[${" ".repeat(100_000)}`);
  const unread = await readOtlpRequest({ signal: "traces", encoding: "json", bytes: text }).catch(
    (error: unknown) => error,
  );
  await expect(reader.receive({ signal: "traces", encoding: "json", bytes: text })).rejects.toEqual(unread);
  expect(unread).toMatchObject({
    name: "MalformedSpans",
    tooLarge: false,
    message: expect.stringMatching(/not valid JSON/),
  });
  expect(countOf(await reader.receive(await request(200)))).toBe(1_200);
});

test("E15: a trace gives the same events in the thread as here, in pages", async () => {
  const contents = Array.from({ length: 200 }, (_, n) =>
    twoToolAgent().map((span) => ({ ...span, span_id: `${n.toString(16).padStart(8, "0")}${span.span_id.slice(8)}` })),
  )
    .flat()
    .map((span) => printSpan({ ...span, parent_span_id: null }));
  const trace = { id: TRACE, contents: listOf(contents), logs: [], told: [], goesOn: false, forks: [] };
  const pagesOf = async (mapping: TraceMapping, key: number) => {
    const { conversations } = await mapping.read(key, trace);
    const pages = [await mapping.map(key, new Map(conversations.map((id) => [id, null])))];
    while (!pages.at(-1)?.isLast) pages.push(await mapping.map(key, null));
    return pages;
  };
  const here = await pagesOf(createTraceMapping(), 1);
  expect(here.length).toBeGreaterThan(2);
  // The first is small enough to be mapped where it is, the second is not.
  const [small, large] = await Promise.all([
    reader.mapping.read(1, { ...trace, contents: listOf(contents.slice(0, 6)) }),
    pagesOf(reader.mapping, 2),
  ]);
  expect(small.faults).toEqual([]);
  expect(large).toEqual(here);
});

test("E15: a trace that was forgotten, or never read, is not mapped", async () => {
  const contents = twoToolAgent().map(printSpan);
  for (const many of [1, 200]) {
    await reader.mapping.read(1, {
      id: TRACE,
      contents: listOf(Array(many).fill(contents).flat()),
      logs: [],
      told: [],
      goesOn: false,
      forks: [],
    });
    reader.mapping.drop(1);
    await expect(reader.mapping.map(1, new Map())).rejects.toThrow();
  }
});

test("E15: requests in progress fail when the server stops", async () => {
  const pending = expect(reader.receive(await request(2_000))).rejects.toThrow("The thread that reads spans died");
  await reader.close();
  await pending;
});
