import fc from "fast-check";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { ObelusClient } from "./client.ts";

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

/** The fate of a request: stored, stored without a response, lost, or refused temporarily. */
const fate = fc.constantFrom("stored" as const, "no_answer" as const, "lost" as const, "busy" as const);

/** The agent's actions: it records events of a size and kind, waits, or flushes. */
const conversation = fc.nat(2);
const deed = fc.oneof(
  { weight: 4, arbitrary: fc.record({ conversation, count: fc.nat(600), size: fc.constant(1) }) },
  // A few of these fill a request.
  { weight: 1, arbitrary: fc.record({ conversation, count: fc.nat(16), size: fc.constant(400_000) }) },
  { weight: 2, arbitrary: fc.record({ conversation, bad: fc.constantFrom("named" as const, "unnamed" as const) }) },
  { weight: 2, arbitrary: fc.record({ wait: fc.nat(1_000) }) },
  { weight: 1, arbitrary: fc.constant("flush" as const) },
);

/** A server that stores valid requests, each id once, all or nothing. */
function serverOf(fates: readonly ("stored" | "no_answer" | "lost" | "busy")[]) {
  const stored = new Map<string, { conversation_id: string; payload: { n: number; bad?: string } }>();
  const sizes: { events: number; bytes: number }[] = [];
  let asked = 0;
  async function answer(_: URL, { body }: { body: string }): Promise<Response> {
    const events: { id: string; conversation_id: string; payload: { n: number; bad?: string } }[] = JSON.parse(body);
    sizes.push({ events: events.length, bytes: Buffer.byteLength(body) });
    const what = fates[asked++] ?? "stored";
    if (what === "lost") throw new TypeError("fetch failed");
    if (what === "busy") return new Response("", { status: 503, headers: { "retry-after": "1" } });
    if (events.some(({ payload }) => payload.bad)) {
      const errors = events.flatMap(({ payload }, index) =>
        payload.bad === "named" ? [{ path: `/${index}/payload`, message: "is bad" }] : [],
      );
      return Response.json({ type: "urn:obelus:problem:invalid_input", detail: "Bad.", errors }, { status: 400 });
    }
    for (const event of events) if (!stored.has(event.id)) stored.set(event.id, event);
    if (what === "no_answer") throw new TypeError("fetch failed");
    return Response.json({ events }, { status: 201 });
  }
  return { answer, stored, sizes };
}

test("each valid event is stored once, in its conversation's order, in requests within the limits, whatever fails", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(deed, { maxLength: 12 }), fc.array(fate, { maxLength: 30 }), async (deeds, fates) => {
      const { answer, stored, sizes } = serverOf(fates);
      vi.stubGlobal("fetch", answer);
      const client = new ObelusClient({ url: "http://127.0.0.1:1", maxBufferedBytes: 1e9, gzip: false });
      const told = [[], [], []] as number[][];
      let n = 0;
      for (const each of deeds) {
        if (each === "flush") {
          void client.flush();
        } else if ("wait" in each) {
          await vi.advanceTimersByTimeAsync(each.wait);
        } else if ("bad" in each) {
          client.event({ conversation_id: `c${each.conversation}`, type: "log", payload: { n: n++, bad: each.bad } });
        } else {
          for (let index = 0; index < each.count; index++) {
            told[each.conversation]?.push(n);
            const payload = { n: n++, text: "я".repeat(each.size) };
            client.event({ conversation_id: `c${each.conversation}`, type: "log", payload });
          }
        }
      }
      const flushed = client.flush();
      await vi.runAllTimersAsync();
      expect(await flushed).toBe(true);
      const events = [...stored.values()];
      for (const [index, numbers] of told.entries()) {
        const found = events.filter(({ conversation_id }) => conversation_id === `c${index}`);
        expect(found.map(({ payload }) => payload.n)).toEqual(numbers);
      }
      for (const { events, bytes } of sizes) {
        expect(events).toBeLessThanOrEqual(1_000);
        expect(bytes).toBeLessThan(5 * 1024 * 1024);
      }
    }),
    { numRuns: 20 },
  );
});
