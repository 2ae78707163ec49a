import { expect, test } from "vitest";
import { indexColumnsOf } from "../../lib/session/events/event-index-columns.ts";
import { newEvent } from "../contract/subject.ts";
import type { PreparedEvent, WaitingSpan } from "../spans.ts";
import type { Storage } from "../storage.ts";
import { openDatabase } from "./database.ts";
import { type PostgresSubject, postgresSubject } from "./testing/subject.ts";

const TRACE = "0af7651916cd43dd8448eb211c80319c";
const ALL = { spans: 1_000, characters: 1_000_000 };

const idOf = (n: number) => String(n).padStart(16, "0");
const span = (n: number): WaitingSpan => ({
  ...{ trace_id: TRACE, span_id: idOf(n), parent_span_id: null },
  content: JSON.stringify({ n }),
});

function eventOf(n: number): PreparedEvent {
  const event = newEvent({ id: `otlp:${TRACE}:${idOf(n)}:log` });
  const columns = indexColumnsOf({ ...event, seq: 0, position: 0, recorded_at: "" });
  return { ...event, text: "null", occurredAt: null, columns };
}

const ids = async ({ events }: Storage) => (await events.list("c", { after: 0, limit: 99 })).map(({ id }) => id);

async function withTwo(work: (one: PostgresSubject, other: Storage) => Promise<void>): Promise<void> {
  const subject = await postgresSubject();
  const other = await subject.openReplica();
  try {
    await work(subject, other);
  } finally {
    await other.close();
    await subject.dispose();
  }
}

test("E15: of two replicas that map a trace, one does; what comes to the other meanwhile waits and is mapped after that", () =>
  withTwo(async ({ storage: one }, other) => {
    await other.spans.keep([span(2)]);
    await one.spans.keep([span(1)]);
    expect(await other.spans.keep([span(1), span(2)])).toEqual([]);
    const { spans, upTo } = await one.spans.news(TRACE, [], ALL);
    expect(spans).toEqual([span(2), span(1)]);
    expect(await other.spans.news(TRACE, [], ALL)).toEqual({ spans: [], told: [], upTo: 0 });
    await other.spans.keep([span(3)]);
    expect(await one.spans.tell(TRACE, upTo, [eventOf(2), eventOf(1)], true)).toBe(true);
    expect(await one.spans.keep([span(2)])).toEqual([]);
    const late = await other.spans.news(TRACE, [], ALL);
    expect(late).toMatchObject({ spans: [span(3)], told: [{ id: eventOf(2).id }, { id: eventOf(1).id }] });
    expect(await other.spans.tell(TRACE, late.upTo, [eventOf(3)], true)).toBe(false);
    expect(await ids(one)).toEqual([2, 1, 3].map((n) => eventOf(n).id));
  }));

test("E15: a trace that a replica has told half of when it ends is told by another, which finds it", () =>
  withTwo(async ({ storage: one }, other) => {
    await other.spans.keep([span(1), span(2)]);
    expect(await one.spans.abandoned(60_000)).toEqual([]);
    const { upTo } = await other.spans.news(TRACE, [], ALL);
    await other.spans.tell(TRACE, upTo, [eventOf(1)], false);
    await other.spans.keep([span(3)]);
    expect((await one.spans.news(TRACE, [], ALL)).spans).toEqual([]);
    await other.close();
    await expect.poll(async () => (await one.spans.abandoned(-1)).map(({ trace_id }) => trace_id)).toEqual([TRACE]);
    await expect.poll(async () => (await one.spans.news(TRACE, [], ALL)).spans).toEqual([span(1), span(2)]);
    const again = await one.spans.news(TRACE, [], ALL);
    expect(await one.spans.tell(TRACE, again.upTo, [eventOf(1), eventOf(2)], true)).toBe(true);
    expect(await ids(one)).toEqual([1, 2].map((n) => eventOf(n).id));
  }));

test("E15: a replica that was frozen while another took its trace over appends nothing of it", () =>
  withTwo(async ({ storage: one, url }, other) => {
    await one.spans.keep([span(1), span(2)]);
    const { upTo } = await one.spans.news(TRACE, [], ALL);
    const database = openDatabase(url, () => undefined);
    await database.run("UPDATE span_claims SET claimed_at = 0");
    await database.close();
    const taken = await other.spans.news(TRACE, [], ALL);
    expect(taken.spans).toEqual([span(1), span(2)]);
    expect(await one.spans.tell(TRACE, upTo, [eventOf(9)], true)).toBe(true);
    expect(await other.spans.tell(TRACE, taken.upTo, [eventOf(1), eventOf(2)], true)).toBe(false);
    expect(await ids(one)).toEqual([1, 2].map((n) => eventOf(n).id));
  }));
