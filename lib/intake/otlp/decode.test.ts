import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { Json } from "../../session/json.ts";
import { type Decoded, decodeJson, MalformedSpans } from "./decode.ts";
import { decodeProtobuf } from "./decode-protobuf.ts";
import { requestType } from "./definitions.ts";
import type { Span } from "./span.ts";
import { printSpan, readSpan } from "./stored-span.ts";
import { anyValue, jsonRequest, jsonSpan, protobufRequest } from "./testing/request.ts";
import { span, twoToolAgent } from "./testing/spans.ts";

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
  const type = await requestType();
  const binary = JSON.parse(JSON.stringify(request), (key, value) =>
    /^(trace|span|parentSpan)Id$/.test(key) ? Buffer.from(String(value), "hex") : value,
  );
  return [decodeJson(request), await decodeProtobuf(type.encode(type.fromObject(binary)).finish())];
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
    expect(decodeJson(jsonRequest(spans))).toEqual({ spans, rejected: { count: 0, message: "" } });
    expect(await decodeProtobuf(await protobufRequest(spans))).toEqual({ spans, rejected: { count: 0, message: "" } });
  });

  test("E15: a span that is kept is read again as it was", () => {
    for (const each of twoToolAgent()) expect(readSpan(printSpan(each))).toEqual(each);
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
    expect(decodeJson(beside({ attributes: odd })).spans[1]?.attributes).toEqual({
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

  test("E15: enums are taken as numbers and as names, ids in any case", () => {
    const status = (code: Json) => decodeJson(beside({ status: { code } })).spans[1]?.status.code;
    expect([status(2), status("STATUS_CODE_ERROR"), status(1), status(7), status("constructor")]).toEqual([
      ...["error", "error", "ok", "unset", "unset"],
    ]);
    const traceId = "0AF7651916CD43DD8448EB211C80319C";
    expect(decodeJson(beside({ traceId })).spans[1]?.trace_id).toBe(traceId.toLowerCase());
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
      /deep nests deeper than 60/,
    ],
    [
      "an attribute that is 200 levels deep",
      { attributes: [{ key: "deep", value: anyValue(nested(200)) }] },
      /deep nests deeper than 60/,
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

  test("E15: half of a surrogate pair and a resource that does not hold refuse what has them alone", () => {
    const half = decodeJson(beside({ name: "\ud800" }));
    expect([half.spans.length, half.rejected.count]).toEqual([1, 1]);
    const resource = { attributes: [{ key: "big", value: { stringValue: "x".repeat(2 ** 20) } }] };
    const spans = [jsonSpan(good), jsonSpan(span("b", null, [0, 1], "b"))];
    const decoded = decodeJson({ resourceSpans: [{ resource, scopeSpans: [{ spans }] }, ...resourceSpansOf([good])] });
    expect([decoded.spans.length, decoded.rejected.count]).toEqual([1, 2]);
  });

  test("E15: many refused spans are named by the first few", () => {
    const spans = Array.from({ length: 50 }, () => ({ ...jsonSpan(good), traceId: "x" }));
    const { rejected } = decodeJson({ resourceSpans: [{ scopeSpans: [{ spans }] }] });
    expect(rejected.count).toBe(50);
    expect(rejected.message.length).toBeLessThan(600);
  });

  test.each<[string, Json]>([
    ["a list", []],
    ["a text", "spans"],
    ["resourceSpans that are no list", { resourceSpans: {} }],
    ["spans that are no list", { resourceSpans: [{ scopeSpans: [{ spans: "x" }] }] }],
  ])("E15: %s is no request", (_, request) => {
    expect(() => decodeJson(request)).toThrow(MalformedSpans);
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

  test("E15: any JSON is malformed or taken, and nothing else", () => {
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
    fc.assert(
      fc.property(json, (request) => {
        try {
          decodeJson(request);
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
    const wrap = (field: number, bytes: Buffer) =>
      Buffer.concat([Buffer.from([(field << 3) | 2, ...varint(bytes.length)]), bytes]);
    const bytes = wrap(1, wrap(2, wrap(2, wrap(9, wrap(2, value)))));
    await expect(decodeProtobuf(bytes)).rejects.toThrow(MalformedSpans);
  });
});

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
