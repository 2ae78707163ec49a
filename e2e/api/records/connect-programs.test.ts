import { existsSync, readFileSync } from "node:fs";
import { pathToFileURL } from "node:url";
import { describe, expect, test } from "vitest";
import { snippetsOf } from "../../../components/connect/snippets.ts";
import { conversationsFrom, recordedRequests, seenIn } from "../../../lib/intake/otlp/testing/recorded.ts";
import { RECORDED_FROM, type RecordedProgram, recordedFile } from "../../exporters/recorded-programs.ts";

const programs = snippetsOf("otel", { origin: RECORDED_FROM, keyed: false }).filter(({ id }) =>
  existsSync(recordedFile(id)),
);

describe("C11: programs of the Connect page were run as they are shown", () => {
  test("all that install their packages from npm are recorded", () => {
    expect(programs.map(({ id }) => id)).toEqual([
      ...["otel-ai-6", "otel-mastra", "otel-strands", "otel-openai"],
      ...["otel-langfuse", "otel-langsmith", "otel-openllmetry"],
    ]);
  });

  test.each(programs)("$id: its spans are the conversation that it names, in any order", async ({ id, code }) => {
    const recorded: RecordedProgram = JSON.parse(readFileSync(recordedFile(id), "utf8").split("\n")[0] ?? "");
    // A program that was changed is to be recorded again: node e2e/exporters/record.ts
    expect(recorded.code).toBe(code);
    const requests = recordedRequests(pathToFileURL(recordedFile(id)));
    for (const sent of [requests, requests.toReversed(), [...requests, ...requests]]) {
      const [conversation, ...others] = await conversationsFrom(sent);
      expect([conversation?.conversation_id, others]).toEqual(["my-conversation", []]);
      if (!conversation) return;
      expect(seenIn(conversation)).toMatchObject({
        messages: ["user: Where is order A-1042?", "assistant: Order A-1042 is lost."],
        calls: [{ tool: "find_order", params: { order_id: "A-1042" }, status: "succeeded" }],
        runs: ["finished"],
        tokens: 276,
        warnings: [],
      });
    }
  });
});
