import { type AGUIEvent, EventType } from "@ag-ui/core";
import fc from "fast-check";
import { expect, test } from "vitest";
import type { NewEvent } from "../../../db/repositories.ts";
import { demoConversations } from "../../../demo/sessions/demo.ts";
import type { SessionEvent } from "../../session/event.ts";
import type { Session } from "../../session/session.ts";
import { anySession } from "../../session/testing/events.ts";
import { folded, stored } from "../testing/stored.ts";
import { readEvent } from "./event.ts";
import { MappedState } from "./mapped-state.ts";
import { AgUiPrinter } from "./print.ts";
import { RunMapper } from "./run-mapper.ts";
import { breaches } from "./testing/protocol.ts";
import { anyStream } from "./testing/streams.ts";

/** A conversation in AG-UI, after a step. */
function printed(
  events: readonly SessionEvent[],
  { from = 0, only = null }: { from?: number; only?: string | null } = {},
) {
  const printer = new AgUiPrinter("thread", only);
  const before = events.slice(0, from);
  for (const event of before) printer.print(event);
  return [...(from > 0 ? printer.opening() : []), ...events.slice(from).flatMap((event) => printer.print(event))];
}

/** A stream ingested into an empty log. */
function told(stream: readonly AGUIEvent[]): NewEvent[] {
  const log: NewEvent[] = [];
  let teller: RunMapper | null = null;
  for (const [index, event] of stream.entries()) {
    if (event.type === EventType.RUN_STARTED) {
      const before = new MappedState();
      for (const each of log) before.take(each);
      teller = new RunMapper("thread", event.runId, before);
    }
    log.push(...(teller?.take(readEvent(JSON.parse(JSON.stringify(event)), index + 1), index + 1) ?? []));
  }
  return log;
}

test("AG-UI: every conversation gives valid AG-UI events in order, from any step", () => {
  fc.assert(
    fc.property(anySession, fc.nat(30), (events, from) => {
      expect(breaches(printed(events))).toEqual([]);
      expect(breaches(printed(events, { from }))).toEqual([]);
    }),
    { numRuns: 300 },
  );
  for (const { events } of demoConversations(new Date("2026-11-22T12:00:00Z"), "en")) {
    const stories = stored(events);
    expect(breaches(printed(stories))).toEqual([]);
    expect(breaches(printed(stories, { from: Math.floor(stories.length / 2) }))).toEqual([]);
  }
});

/** The part of a session that AG-UI can express. */
const essence = ({ messages, calls, runs }: Session) => ({
  messages: messages.map(({ id, role, content, run_id }) => ({ id, role, content, in: run_id !== null })),
  calls: [...calls.values()].map(({ id, tool, status, params, output, error }) => ({
    id,
    tool,
    status,
    params,
    output,
    error,
  })),
  runs: [...runs.values()].map(({ status, parent_run_id, state }) => ({
    status,
    child: parent_run_id !== null,
    state,
  })),
});

test("AG-UI: a stream that is ingested, printed and ingested again is the same session", () => {
  fc.assert(
    fc.property(anyStream, (stream) => {
      const first = told(stream);
      const again = told(printed(stored(first)));
      const before = essence(folded(first));
      // A run that starts during another run's stream is part of it.
      fc.pre(before.runs.every(({ status }) => status !== "running"));
      expect(essence(folded(again))).toEqual(before);
    }),
    { numRuns: 300 },
  );
});

test("AG-UI: a single run includes its descendants, and ends the stream", () => {
  const [story] = demoConversations(new Date("2026-11-22T12:00:00Z"), "en").filter(({ events }) =>
    events.some(({ parent_run_id }) => parent_run_id !== null),
  );
  const events = stored(story?.events ?? []);
  const child = events.find(({ parent_run_id }) => parent_run_id !== null);
  const only = child?.parent_run_id ?? "";
  const printer = new AgUiPrinter("thread", only);
  const stream = events.flatMap((event) => (printer.isOver ? [] : printer.print(event)));
  expect(breaches(stream)).toEqual([]);
  expect(stream[0]).toMatchObject({ type: EventType.RUN_STARTED, runId: only });
  expect(stream.map(({ type }) => type)).toContain(EventType.SUBAGENT_STARTED);
});
