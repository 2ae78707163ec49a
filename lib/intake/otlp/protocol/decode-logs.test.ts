import { describe, expect, test } from "vitest";
import type { Json } from "../../../session/json/json.ts";
import { anyValue, logsRequest, protobufLogs } from "../testing/request.ts";
import { decodeJsonOf, MalformedSpans } from "./decode.ts";
import { LOGS } from "./decode-logs.ts";
import { decodeProtobufOf } from "./decode-protobuf.ts";

const SPAN = { trace_id: "0af7651916cd43dd8448eb211c80319c", span_id: "00f067aa0ba902b7" };

function one(record: Record<string, Json>): Json {
  return { resourceLogs: [{ scopeLogs: [{ logRecords: [record] }] }] };
}

describe("E15: logs are decoded", () => {
  test("E15: protobuf and JSON give the same records: names, times, bodies and the spans that they belong to", async () => {
    const request = logsRequest(
      SPAN,
      { name: "gen_ai.user.message", time: 1n, body: { content: "привет" } },
      { name: "gen_ai.choice", time: 2n, body: { index: 0, message: { role: "assistant", content: "Hello" } } },
    );
    const read = await decodeJsonOf(LOGS, request);
    expect(read.items).toMatchObject([
      { span: SPAN, event: { name: "gen_ai.user.message", time: 1n, attributes: { content: "привет" } } },
      { span: SPAN, event: { name: "gen_ai.choice", attributes: { index: 0, message: { content: "Hello" } } } },
    ]);
    expect(await decodeProtobufOf(LOGS, await protobufLogs(request))).toEqual(read);
  });

  test.each<[string, Record<string, Json>, object]>([
    ["a name of its own", { eventName: "gen_ai.choice" }, { event: { name: "gen_ai.choice" } }],
    ["the time at which it was seen", { observedTimeUnixNano: "7" }, { event: { time: 7n } }],
    [
      "a body that is JSON text",
      { body: { stringValue: '{"content":"Hi"}' } },
      { event: { attributes: { content: "Hi" } } },
    ],
    ["a body that is a text", { body: { stringValue: "GET /" } }, { event: { attributes: { content: "GET /" } } }],
    ["no span", { traceId: "", spanId: "0000000000000000", body: anyValue(null) }, { span: null }],
  ])("E15: a record with %s", async (_, record, expected) => {
    expect((await decodeJsonOf(LOGS, one(record))).items).toMatchObject([expected]);
  });

  test("E15: a record that does not hold is refused alone; a body that is none is refused whole", async () => {
    const { items, rejected } = await decodeJsonOf(LOGS, {
      resourceLogs: [{ scopeLogs: [{ logRecords: [{ traceId: "12", spanId: "34" }, { eventName: "good" }] }] }],
    });
    expect(items).toHaveLength(1);
    expect(rejected).toMatchObject({
      count: 1,
      message: expect.stringMatching(/^A log record was refused: its traceId/),
    });
    await expect(decodeJsonOf(LOGS, [])).rejects.toThrow("send an ExportLogsServiceRequest");
    await expect(decodeProtobufOf(LOGS, Buffer.from("no protobuf"))).rejects.toThrow(MalformedSpans);
  });
});
