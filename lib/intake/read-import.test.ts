import { createReadStream, existsSync, readFileSync } from "node:fs";
import { gzipSync } from "node:zlib";
import { describe, expect, it } from "vitest";
import { chatEvents } from "./chat-format.ts";
import { writeExport } from "./export-format.ts";
import { eventProblems, type ImportedConversation } from "./new-event.ts";
import { readImport } from "./read-import.ts";
import { all, folded, stored, streamed } from "./testing/stored.ts";

const fixture = (name: string) => readFileSync(new URL(`../../e2e/fixtures/${name}`, import.meta.url), "utf8");
const chats = fixture("support-chats.jsonl");
const tiny = (id: string) => JSON.stringify({ id, messages: [{ role: "user", content: "Привет 🙂" }] });

async function read(text: string): Promise<ImportedConversation[]> {
  return all(readImport(streamed(text)));
}

async function exported(id: string): Promise<string> {
  const events = stored(chatEvents(JSON.parse(tiny(id))).events);
  return (await all(writeExport({ id, last_seq: events.length, bookmarks: [], scores: [] }, events))).join("");
}

async function* cut(bytes: Uint8Array, size: number): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
}

const ids = (found: ImportedConversation[]) => found.map(({ conversation_id }) => conversation_id);

describe("reading an import", () => {
  it("accepts chats one per line, with blank lines and Windows line ends", async () => {
    expect(ids(await read(chats))).toEqual(
      chats
        .trim()
        .split("\n")
        .map((line) => JSON.parse(line).id),
    );
    expect(ids(await read(`\uFEFF\r\n${tiny("a")}\r\n\r\n${tiny("b")}`))).toEqual(["a", "b"]);
  });

  it("accepts one chat as a document with many lines, and an array of chats", async () => {
    const [pretty] = await read(fixture("support-chat.json"));
    expect(pretty).toEqual((await read(chats))[0]);
    expect(ids(await read(`[${tiny("a")},\n${tiny("b")}]`))).toEqual(["a", "b"]);
    expect(ids(await read(`\n  [ ${tiny("a")} ]`))).toEqual(["a"]);
  });

  it("refuses files of whitespace and empty lines, and yields to the event loop", async () => {
    const blank = Buffer.alloc(2_000_000, "\n");
    let turns = 0;
    const turning = setInterval(() => {
      turns += 1;
    });
    async function* whole(...parts: (Buffer | string)[]) {
      for (const part of parts) yield Buffer.from(part);
    }
    const refusal = (...parts: (Buffer | string)[]) =>
      all(readImport(whole(...parts))).then(
        () => "",
        (error) => error.message,
      );
    expect(await refusal(blank, tiny("a"))).toContain("starts with more than 1 MB of white space");
    expect(await refusal(gzipSync(blank))).toContain("starts with more than 1 MB of white space");
    turns = 0;
    expect(await refusal(tiny("a"), blank)).toContain("more than 100000 empty lines");
    expect(turns).toBeGreaterThan(0);
    // A document whose first line is not valid JSON.
    expect(await refusal("{", blank, "}")).toContain("more than 100000 empty lines");
    clearInterval(turning);
  });

  it("accepts our own exports, several in a file", async () => {
    expect(ids(await read((await exported("a")) + (await exported("b"))))).toEqual(["a", "b"]);
  });

  it("works with any chunking", async () => {
    for (const size of [1, 2, 3, 1_000_000]) {
      const found = await all(readImport(streamed(`${tiny("a")}\n${tiny("b")}\n`, size)));
      expect(folded(found[0]?.events ?? []).messages[0]?.content).toBe("Привет 🙂");
      expect(ids(found)).toEqual(["a", "b"]);
    }
  });

  it("yields conversations before it reads more", async () => {
    const asked: string[] = [];
    async function* bytes() {
      for (const id of ["a", "b"]) {
        asked.push(id);
        yield new TextEncoder().encode(`${tiny(id)}\n`);
      }
    }
    const reader = readImport(bytes());
    expect((await reader.next()).value?.conversation_id).toBe("a");
    expect(asked).toEqual(["a"]);
    await reader.return(undefined);
  });

  it("copies with new ids on request", async () => {
    const [copy] = await all(readImport(streamed(tiny("a")), { copyId: () => "copy" }));
    expect(copy?.conversation_id).toBe("copy");
    expect(copy?.events[0]?.payload).toMatchObject({ origin: { conversation_id: "a" } });
  });

  const deep = (levels: number) => `${'{"x":'.repeat(levels)}1${"}".repeat(levels)}`;
  const refusals: [title: string, text: string, line: number | null, message: string][] = [
    ["an empty file", " \n", null, "The file is empty"],
    ["a line that is not JSON", `${tiny("a")}\n{"id": "b",}\n`, 2, "Line 2: this is not JSON"],
    ["a file that is not JSON at all", "once upon a time\nthere was", 1, "Line 1: this is not JSON"],
    ["a document with a mistake, by its line", `{\n  "id": "a",\n  "messages" []\n}`, 3, "Line 3"],
    ["JSON that is no conversation", '{"hello": "world"}', 1, "id is required"],
    ["a message of an unknown role", `{"id":"a","messages":[{"role":"poet","content":""}]}`, 1, "messages.0.role"],
    ["what is nested too deeply", `{"id":"a","metadata":${deep(63)},"messages":[]}`, 1, "deeper than 63 levels"],
    ["half of a surrogate pair", `{"id":"a","messages":[{"role":"user","content":"\\ud83d"}]}`, 1, "surrogate"],
    [
      "an entry of a list over 5 MB",
      `[${tiny("a")},\n{"id":"${"x".repeat(6 * 1024 * 1024)}"}]`,
      2,
      "split its conversation",
    ],
    ["brackets without an end", "[".repeat(6 * 1024 * 1024), 1, "the entry 1 of the list is longer than 5 MB"],
    [
      "an object of many lines over 5 MB",
      `{\n${'"x":1,\n'.repeat(900_000)}}`,
      1,
      "write one conversation per line, or a list",
    ],
    [
      "a list with a mistake, by its line",
      `[${tiny("a")},\n\n{"id": "b",\n"messages" []}]`,
      4,
      "Line 4: this is not JSON",
    ],
    ["a list without a value", `[${tiny("a")},\n, ${tiny("b")}]`, 2, "a value is missing"],
    ["a list that was cut off", `[${tiny("a")},\n${tiny("b")}`, 2, "the list is not closed"],
    ["what follows a list", `[${tiny("a")}]\n]`, 2, "unexpected content after the end of the list"],
    ["a line over 5 MB", `${tiny("a")}\n{"id":"${"x".repeat(6 * 1024 * 1024)}`, 2, "longer than"],
  ];
  it.each(refusals)("refuses %s", async (_title, text, line, message) => {
    const failure = all(readImport(streamed(text, 64 * 1024)));
    await expect(failure).rejects.toMatchObject({
      name: "ImportError",
      line,
      message: expect.stringContaining(message),
    });
  });

  const many = (count: number, one: string) => Array.from({ length: count }, () => one).join();
  const spanOf = (index: number) =>
    `{"traceId":"${"1".repeat(32)}","spanId":"${(index + 1).toString(16).padStart(16, "0")}","startTimeUnixNano":"1","endTimeUnixNano":"2","attributes":[{"key":"session.id","value":{"stringValue":"long"}}]}`;
  const spans = (count: number) =>
    `{"resourceSpans":[{"scopeSpans":[{"spans":[${Array.from({ length: count }, (_, index) => spanOf(index)).join()}]}]}]}`;
  it.each([
    ["a chat", `{"id":"long","messages":[${many(40_000, '{"role":"user","content":""}')}]}`],
    ["a response", `{"object":"response","output":[${many(40_000, '{"type":"message","role":"user","content":""}')}]}`],
    ["spans", spans(10_000)],
  ])("lets others have the thread while it makes events of %s", async (_, text) => {
    let turns = 0;
    const turning = setInterval(() => {
      turns += 1;
    });
    async function* whole() {
      yield Buffer.from(text);
    }
    expect(ids(await all(readImport(whole())))).toHaveLength(1);
    clearInterval(turning);
    expect(turns).toBeGreaterThan(5);
  });

  it("refuses more of one trace than its tree can be built from at once", async () => {
    await expect(read(spans(20_001))).rejects.toMatchObject({
      tooLarge: true,
      message: expect.stringContaining("more than 20000 spans; send it to /v1/traces, which takes it in parts"),
    });
  });

  it("reports the held bytes, and releases an element after it is parsed", async () => {
    const large = JSON.stringify({ id: "large", messages: [{ role: "user", content: "x".repeat(1_000_000) }] });
    for (const text of [`${large}\n${large}\n`, `[${large}, ${large}]`]) {
      let held = 0;
      let most = 0;
      const note = (bytes: number) => {
        held += bytes;
        most = Math.max(most, held);
      };
      await all(readImport(streamed(text, 64 * 1024), { held: note }));
      expect([held, most > 900_000, most < 1_200_000]).toEqual([0, true, true]);
    }
  });

  it("names the place of an error in an array", async () => {
    await expect(read(`[${tiny("a")}, {"id": "b"}]`)).rejects.toMatchObject({ line: null, path: "/1/messages" });
  });

  it("refuses bytes that are not UTF-8, with their line", async () => {
    async function* bytes() {
      yield new TextEncoder().encode(`${tiny("a")}\n`);
      yield Uint8Array.of(0x22, 0xc3, 0x28, 0x22);
    }
    await expect(all(readImport(bytes()))).rejects.toMatchObject({
      line: 2,
      message: expect.stringContaining("UTF-8"),
    });
  });

  it("closes the source on an error", async () => {
    let released = false;
    async function* bytes() {
      try {
        yield new TextEncoder().encode(`${tiny("a")}\n`);
        for (;;) yield new TextEncoder().encode("nonsense\n");
      } finally {
        released = true;
      }
    }
    await expect(all(readImport(bytes()))).rejects.toThrow("not JSON");
    expect(released).toBe(true);
  });

  it("accepts gzip, and has a remedy for truncated or damaged files", async () => {
    const packed = gzipSync(`${tiny("a")}\n${tiny("b")}\n`);
    for (const size of [1, 1_000]) expect(ids(await all(readImport(cut(packed, size))))).toEqual(["a", "b"]);
    for (const broken of [packed.subarray(0, -9), packed.with(20, (packed[20] ?? 0) ^ 255)])
      await expect(all(readImport(cut(broken, 5)))).rejects.toThrow("damaged or incomplete; compress it again");
  });

  it("closes a compressed source before it throws", async () => {
    let released = false;
    const packed = gzipSync(`${tiny("a")}\nnonsense\n${"more\n".repeat(100_000)}`);
    async function* bytes() {
      try {
        yield* cut(packed, 20);
      } finally {
        released = true;
      }
    }
    await expect(all(readImport(bytes()))).rejects.toThrow("not JSON");
    expect(released).toBe(true);
  });

  const shared = new URL("../../../shared/data/airline-conversations.jsonl", import.meta.url);
  it.skipIf(!existsSync(shared))(
    "reads all 50 recorded airline conversations (skipped where ../shared/data is absent)",
    async () => {
      const found = await all(readImport(createReadStream(shared)));
      expect(new Set(ids(found)).size).toBe(50);
      const sessions = found.map(({ events }) => folded(events));
      const calls = sessions.flatMap((session) => [...session.calls.values()]);
      expect(found.flatMap(({ events }) => events.flatMap(eventProblems))).toEqual([]);
      expect(sessions.flatMap(({ warnings }) => warnings)).toEqual([]);
      expect(sessions.reduce((count, { summary }) => count + summary.message_count, 0)).toBe(1384);
      expect(calls.filter(({ status }) => status === "failed")).toHaveLength(17);
      expect(calls.filter(({ status }) => status === "succeeded")).toHaveLength(265);
      expect(sessions.every(({ alerts, summary }) => alerts.length > 0 === summary.escalated)).toBe(true);
    },
  );
});
