import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { Json } from "../../../session/json/json.ts";
import type { Span } from "../span.ts";
import { printSpan, readSpans } from "../stored-span.ts";
import { anyValue, jsonRequest, jsonSpan, protobufRequest } from "../testing/request.ts";
import { span, twoToolAgent } from "../testing/spans.ts";
import { type Decoded, decodeJson, MalformedSpans } from "./decode.ts";
import { decodeProtobuf } from "./decode-protobuf.ts";
import { definitions } from "./definitions.ts";

const good = span("good", null, [0, 1], "good");

/** A request with one span made of these fields, beside a good one. */
function beside(fields: Json, name = "bad"): Json {
  const spans = [jsonSpan(good), { ...jsonSpan(span(name, null, [0, 1], name)), ...(fields as object) }];
  return { resourceSpans: [{ scopeSpans: [{ spans }] }] };
}

function nested(depth: number): Json {
  let value: Json = "deep";
  for (let level = 0; level < depth; level += 1) value = level % 2 === 0 ? [value] : { in: value };
  return value;
}

async function both(request: Json): Promise<Decoded[]> {
  const { requests } = await definitions();
  const type = requests.ExportTraceServiceRequest;
  const binary = JSON.parse(JSON.stringify(request), (key, value) =>
    /^(trace|span|parentSpan)Id$/.test(key) ? Buffer.from(String(value), "hex") : value,
  );
  return [await decodeJson(request), await decodeProtobuf(type.encode(type.fromObject(binary)).finish())];
}

describe("E15: OTLP is decoded", () => {
  test("E15: protobuf and JSON give the same spans, with resource, scope, events and status", async () => {
    const spans: Span[] = [
      ...twoToolAgent(),
      span(
        "x",
        "agent",
        [3, 4],
        "odd",
        { whole: 2 ** 40, part: 0.5, no: false, none: null, list: [1, "a", { b: [] }] },
        {
          events: [{ name: "exception", time: 5n, attributes: { "exception.message": "привет" } }],
          status: { code: "error", message: "boom" },
        },
      ),
    ];
    expect(await decodeJson(jsonRequest(spans))).toEqual({ spans, rejected: { count: 0, message: "" } });
    expect(await decodeProtobuf(await protobufRequest(spans))).toEqual({ spans, rejected: { count: 0, message: "" } });
  });

  test("E15: a span that is kept is read again as it was", () => {
    expect(readSpans(`[${twoToolAgent().map(printSpan)}]`)).toEqual(twoToolAgent());
  });

  test("E15: whole numbers that a double cannot hold keep all of their digits; bytes and odd numbers are texts", async () => {
    const attributes: Json = [
      { key: "id", value: { intValue: "9223372036854775807" } },
      { key: "small", value: { intValue: "-5" } },
      { key: "bytes", value: { bytesValue: "AQID" } },
    ];
    for (const { spans } of await both(beside({ attributes })))
      expect(spans[1]?.attributes).toEqual({ id: "9223372036854775807", small: -5, bytes: "AQID" });
    const odd: Json = [
      { key: "nan", value: { doubleValue: "NaN" } },
      { key: "number", value: { intValue: 7 } },
      { key: "none", value: { doubleValue: -0 } },
      { key: "text", value: { doubleValue: "1.50" } },
      { key: "long", value: { doubleValue: "0.12345678901234567890" } },
    ];
    expect((await decodeJson(beside({ attributes: odd }))).spans[1]?.attributes).toEqual({
      ...{ nan: "NaN", number: 7, none: "-0", text: 1.5, long: "0.12345678901234567890" },
    });
  });

  test("E15: __proto__ is a key like any other, and unknown fields are ignored", async () => {
    const attributes = [{ key: "__proto__", value: anyValue({ polluted: true }), extra: 1 }];
    for (const { spans } of await both(beside({ attributes, futureField: { a: 1 } }))) {
      expect(Object.keys(spans[1]?.attributes ?? {})).toEqual(["__proto__"]);
      expect(Object.hasOwn(Object.prototype, "polluted")).toBe(false);
    }
  });

  test("E15: enums are taken as numbers and as names, ids in any case", async () => {
    const status = async (code: Json) => (await decodeJson(beside({ status: { code } }))).spans[1]?.status.code;
    const codes: Json[] = [2, "STATUS_CODE_ERROR", 1, 7, "constructor"];
    expect(await Promise.all(codes.map(status))).toEqual(["error", "error", "ok", "unset", "unset"]);
    const traceId = "0AF7651916CD43DD8448EB211C80319C";
    expect((await decodeJson(beside({ traceId }))).spans[1]?.trace_id).toBe(traceId.toLowerCase());
  });

  test.each<[string, Json, RegExp]>([
    ["a trace id that is too short", { traceId: "0af7" }, /traceId is not 16 bytes/],
    ["a trace id of zeros", { traceId: "0".repeat(32) }, /traceId is not 16 bytes/],
    ["a span id of zeros", { spanId: "0".repeat(16) }, /spanId is not 8 bytes/],
    ["no span id", { spanId: null }, /spanId is not 8 bytes/],
    ["a parent's id that is too long", { parentSpanId: "ab".repeat(9) }, /parentSpanId is not 8 bytes/],
    ["an end before its start", { startTimeUnixNano: "5", endTimeUnixNano: "4" }, /ends before it starts/],
    [
      "an attribute of 1 MB",
      { attributes: [{ key: "long", value: { stringValue: "x".repeat(2 ** 20) } }] },
      /long is larger than 1 MB/,
    ],
    [
      "an attribute that is 61 levels deep",
      { attributes: [{ key: "deep", value: anyValue(nested(61)) }] },
      /deep is nested deeper than 60/,
    ],
    [
      "an attribute that is 200 levels deep",
      { attributes: [{ key: "deep", value: anyValue(nested(200)) }] },
      /deep is nested deeper than 60/,
    ],
  ])("E15: a span with %s is refused with a sentence, and the others are taken", async (_, fields, sentence) => {
    for (const { spans, rejected } of await both(beside(fields))) {
      expect(spans.map(({ name }) => name)).toEqual(["good"]);
      expect(rejected).toEqual({ count: 1, message: expect.stringMatching(sentence) });
      expect(rejected.message).toMatch(/^The span bad was refused: .*\.$/);
    }
  });

  test("E15: 60 levels are taken, and a parent of zeros or none is a root", async () => {
    const fields = { attributes: [{ key: "deep", value: anyValue(nested(60)) }], parentSpanId: "0".repeat(16) };
    for (const { spans } of await both(beside(fields)))
      expect(spans[1]).toMatchObject({ parent_span_id: null, attributes: { deep: nested(60) } });
  });

  test("E15: half of a surrogate pair and a resource that does not hold refuse what has them alone", async () => {
    const half = await decodeJson(beside({ name: "\ud800" }));
    expect([half.spans.length, half.rejected.count]).toEqual([1, 1]);
    const resource = { attributes: [{ key: "big", value: { stringValue: "x".repeat(2 ** 20) } }] };
    const spans = [jsonSpan(good), jsonSpan(span("b", null, [0, 1], "b"))];
    const decoded = await decodeJson({
      resourceSpans: [{ resource, scopeSpans: [{ spans }] }, ...resourceSpansOf([good])],
    });
    expect([decoded.spans.length, decoded.rejected.count]).toEqual([1, 2]);
  });

  test("E15: many refused spans are named by the first few", async () => {
    const spans = Array.from({ length: 50 }, () => ({ ...jsonSpan(good), traceId: "x" }));
    const { rejected } = await decodeJson({ resourceSpans: [{ scopeSpans: [{ spans }] }] });
    expect(rejected.count).toBe(50);
    expect(rejected.message.length).toBeLessThan(600);
  });

  test.each<[string, Json]>([
    ["a list", []],
    ["a text", "spans"],
    ["resourceSpans that are no list", { resourceSpans: {} }],
    ["spans that are no list", { resourceSpans: [{ scopeSpans: [{ spans: "x" }] }] }],
  ])("E15: %s is no request", async (_, request) => {
    await expect(decodeJson(request)).rejects.toThrow(MalformedSpans);
  });

  test("E15: random bytes and messages that were cut off are malformed or taken, and nothing else", async () => {
    const whole = await protobufRequest(twoToolAgent());
    const cut = fc.nat({ max: whole.length - 1 }).map((length) => whole.slice(0, length));
    const changed = fc
      .tuple(fc.nat({ max: whole.length - 1 }), fc.nat({ max: 255 }))
      .map(([at, byte]) => whole.with(at, byte));
    await fc.assert(
      fc.asyncProperty(fc.oneof(fc.uint8Array({ maxLength: 300 }), cut, changed), async (bytes) => {
        try {
          const { spans } = await decodeProtobuf(bytes);
          for (const { trace_id, span_id } of spans) expect(trace_id + span_id).toMatch(/^[0-9a-f]{48}$/);
        } catch (error) {
          expect(error).toBeInstanceOf(MalformedSpans);
        }
      }),
      { numRuns: 1_000 },
    );
  });

  test("E15: any JSON is malformed or taken, and nothing else", async () => {
    const key = fc.constantFrom(
      ...[
        "resourceSpans",
        "scopeSpans",
        "spans",
        "resource",
        "attributes",
        "key",
        "value",
        "stringValue",
        "arrayValue",
      ],
      ...["values", "kvlistValue", "traceId", "spanId", "name", "events", "status", "intValue"],
    );
    const { json } = fc.letrec<{ json: Json }>((tie) => ({
      json: fc.oneof(
        { depthSize: "medium" },
        fc.constantFrom<Json>(null, 1, "x", true, "0af7651916cd43dd8448eb211c80319c", "00f067aa0ba902b7"),
        fc.array(tie("json"), { maxLength: 3 }),
        fc.dictionary(key, tie("json"), { maxKeys: 6 }),
      ),
    }));
    await fc.assert(
      fc.asyncProperty(json, async (request) => {
        try {
          await decodeJson(request);
        } catch (error) {
          expect(error).toBeInstanceOf(MalformedSpans);
        }
      }),
      { numRuns: 1_000 },
    );
  });

  test("E15: messages nested by the thousand are malformed, not a crash", async () => {
    // ArrayValue within AnyValue, over and over: 0x2a is the field array_value, 0x0a its values.
    let value = Buffer.from([0x0a, 0x01, 0x78]);
    for (let level = 0; level < 5_000; level += 1) {
      for (const field of [0x0a, 0x2a]) value = Buffer.concat([Buffer.from([field, ...varint(value.length)]), value]);
    }
    const bytes = wrap(1, wrap(2, wrap(2, wrap(9, wrap(2, value)))));
    await expect(decodeProtobuf(bytes)).rejects.toThrow(MalformedSpans);
  });

  /** Messages of nothing in a field, as many as there are. */
  const empties = (field: number, count: number) => Buffer.alloc(2 * count, Buffer.from([(field << 3) | 2, 0]));
  const json = (spans: Json[], resource: Json = {}): Json => ({
    resourceSpans: [{ resource, scopeSpans: [{ spans }] }],
  });
  test.each<[string, () => Promise<Decoded>, RegExp]>([
    [
      "empty spans, in protobuf",
      () => decodeProtobuf(wrap(1, wrap(2, empties(2, 60_000)))),
      /more than 50000 spans; send it in smaller parts/,
    ],
    ["empty spans, in JSON", () => decodeJson(json(Array(60_000).fill({}))), /more than 50000 spans/],
    ["empty resources", () => decodeProtobuf(empties(1, 110_000)), /A part of the request has more than 100000 fields/],
    [
      "attributes of all resources",
      () => decodeProtobuf(Buffer.concat(Array(12).fill(wrap(1, wrap(1, empties(1, 90_000)))))),
      /The request has more than 1000000 fields; send fewer spans/,
    ],
    [
      "attributes of a resource",
      () => decodeProtobuf(wrap(1, wrap(1, empties(1, 110_000)))),
      /A part of the request has more than 100000 fields/,
    ],
    [
      "copies of a resource",
      () =>
        decodeJson(
          json(Array(1_000).fill(jsonSpan(good)), {
            attributes: [{ key: "a", value: { stringValue: "x".repeat(500_000) } }],
          }),
        ),
      /more than 64 MB when each span has its own/,
    ],
  ])("E15: a request with too many %s is refused for its size", async (_, decode, sentence) => {
    await expect(decode()).rejects.toMatchObject({ tooLarge: true, message: expect.stringMatching(sentence) });
  });

  test("E15: others have the thread while tens of thousands of spans are refused", async () => {
    let turns = 0;
    const turning = setInterval(() => {
      turns += 1;
    });
    const { rejected } = await decodeProtobuf(wrap(1, wrap(2, empties(2, 50_000))));
    clearInterval(turning);
    expect(rejected.count).toBe(50_000);
    expect(turns).toBeGreaterThan(0);
  });
});

function wrap(field: number, bytes: Buffer): Buffer {
  return Buffer.concat([Buffer.from([(field << 3) | 2, ...varint(bytes.length)]), bytes]);
}

function resourceSpansOf(spans: Span[]): Json[] {
  const { resourceSpans } = jsonRequest(spans);
  return Array.isArray(resourceSpans) ? resourceSpans : [];
}

function varint(value: number): number[] {
  const bytes = [];
  let left = value;
  for (; left > 127; left >>>= 7) bytes.push((left & 127) | 128);
  return [...bytes, left];
}
