import { mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { redactJson } from "../../../lib/redaction/redact.ts";
import { newEvent, newMessage } from "../../contract/subject.ts";
import { openStorage } from "../open.ts";

const CARD = "4111 1111 1111 1111";

test("Security: redacted data is in no file, whatever the operation, and ids stay", async () => {
  const dataDir = await mkdtemp(join(tmpdir(), "obelus-"));
  const storage = await openStorage({
    ...{ dataDir, durability: "normal", onCommit: () => undefined, logger: console },
    redact: (value) => redactJson(value, ["cards"]),
  });
  try {
    const { log, telegram, spans, messages, agentStates } = storage;
    await log.append([newMessage("said", CARD, { conversation_id: "c" })]);
    await log.appendOwn([
      newEvent({
        id: "own",
        conversation_id: "c",
        type: "call.started",
        payload: { call_id: CARD, tool: "pay", params: { card: CARD } },
      }),
    ]);
    async function* imported() {
      yield { conversation_id: "i", events: [newMessage("imported", CARD, { conversation_id: "i" })] };
    }
    await log.importConversations(imported(), new AbortController().signal);
    await log.putAgentState({
      ...{ agentId: "crm", key: "card", value: CARD },
      ...{ expect: { kind: "any" }, actor: null },
    });
    await telegram.receive({ update_id: 1, conversation_id: "t", update: { message: { text: CARD } } });
    const content = JSON.stringify({ attributes: { input: CARD } });
    await spans.keep([{ trace_id: "t", span_id: "s", parent_span_id: null, content }]);

    for (const id of ["c", "i"])
      expect((await messages.list(id, { limit: 9 })).items).toMatchObject([{ content: "[redacted:card]" }]);
    expect((await agentStates.get("crm", "card"))?.value).toBe("[redacted:card]");
    const [, call] = await storage.events.list("c", { after: 0, limit: 9 });
    expect(call?.payload).toEqual({ call_id: CARD, tool: "pay", params: { card: "[redacted:card]" } });
    const files = await readdir(dataDir, { recursive: true, withFileTypes: true });
    const texts = await Promise.all(
      files.filter((file) => file.isFile()).map((file) => readFile(join(file.parentPath, file.name), "latin1")),
    );
    // Only the call's id, in its payload and in the timeline's column; it may be in the write-ahead log and in the
    // file.
    const found = texts.flatMap((text) =>
      text
        .split(CARD)
        .slice(1)
        .map((rest) => rest.slice(0, 1)),
    );
    expect(found.length).toBeGreaterThan(0);
    expect(texts.some((text) => text.includes(`"card":"${CARD}"`) || text.includes(`"text":"${CARD}"`))).toBe(false);
    expect(texts.some((text) => text.includes(`"input":"${CARD}"`) || text.includes(`"value":"${CARD}"`))).toBe(false);
  } finally {
    await storage.close();
    await rm(dataDir, { recursive: true });
  }
});
