import { describe, expect, it, test } from "vitest";
import { BudgetUse } from "../../lib/engine/step/state/budget.ts";
import { isRunEvent } from "../../lib/engine/step/state/run-event.ts";
import { RunMemory } from "../../lib/engine/step/state/run-memory.ts";
import { RunState } from "../../lib/engine/step/state/run-state.ts";
import { eventProblems } from "../../lib/intake/new-event.ts";
import { isJsonObject } from "../../lib/session/json/json.ts";
import { LOCALES } from "../../lib/session/locale.ts";
import { EXAMPLES, playedExamples } from "./examples.ts";
import { once, played, stage } from "./testing/played.ts";

const NOW = new Date("2026-11-21T15:12:20.000Z");

const each = EXAMPLES.flatMap(({ example }) => LOCALES.map((locale) => ({ locale, example: example[locale] })));

describe.each(each)("$example.id in $locale", ({ example }) => {
  it("E2: contains only known event types, with unique ids of its own", async () => {
    const { events } = await once(example);
    expect(events.flatMap(eventProblems)).toEqual([]);
    const ids = events.map(({ id }) => id);
    expect(new Set(ids).size).toBe(ids.length);
    expect(ids.filter((id) => !id.startsWith(`${example.id}:`))).toEqual([]);
    expect(JSON.stringify(events)).not.toMatch(/[0-9a-f]{8}-[0-9a-f]{4}-7/);
  });

  it("E7: folds without a warning into the engine's states", async () => {
    const { events, session } = await once(example);
    expect(session.warnings).toEqual([]);
    for (const run of session.runs.values()) {
      const own = { id: run.id, conversation_id: example.id, parent_run_id: run.parent_run_id, agent_id: run.agent_id };
      const engine = new RunState(own, new BudgetUse(), new RunMemory());
      for (const event of events) if (event.run_id === run.id && isRunEvent(event)) engine.apply(event);
      const instances = Object.keys(run.state).filter((name) => name !== "");
      expect(Object.fromEntries(instances.map((name) => [name, engine.state(name)]))).toEqual(
        Object.fromEntries(instances.map((name) => [name, run.state[name]])),
      );
      expect(run.state[""]).toEqual(engine.state(""));
      expect(run.status).toBe(engine.status);
    }
  });

  it("P16: has plans without problems", async () => {
    const { session } = await once(example);
    expect([...session.plans.values()].flatMap(({ problems }) => problems)).toEqual([]);
  });

  it("P21: leaves no call open, and has reasons for calls that did not run", async () => {
    const { session } = await once(example);
    const all = [...session.calls.values()];
    expect(all.filter(({ ended_seq }) => ended_seq === null)).toEqual([]);
    expect(all.filter(({ status, reason }) => ["skipped", "blocked"].includes(status) && !reason)).toEqual([]);
  });

  it("has question, run and answer, each event caused by an earlier one", async () => {
    const { events, session } = await once(example);
    expect(session.messages.map(({ role, content }) => [role, content])).toEqual([
      ["user", example.question],
      ["assistant", example.answer],
    ]);
    expect(session.summary).toMatchObject({ title: example.title, channel: example.channel, user_id: example.user });
    const places = new Map(events.map(({ id }, index) => [id, index]));
    events.forEach(({ caused_by, occurred_at }, index) => {
      expect(caused_by === null ? -1 : (places.get(caused_by) ?? index)).toBeLessThan(index);
      expect(occurred_at ?? "").toSatisfy((time: string) => time >= (events[index - 1]?.occurred_at ?? ""));
    });
    const started = events.find(({ type }) => type === "run.started");
    expect(events[places.get(started?.caused_by ?? "") ?? -1]?.payload).toMatchObject({ content: example.question });
  });

  it("is deterministic", async () => {
    expect((await played(example)).events).toEqual((await once(example)).events);
  });
});

test("the demo has all of them, each in its own conversation, before now", async () => {
  const told = await playedExamples(NOW, "en", stage);
  expect(told.map(({ conversation_id }) => conversation_id)).toEqual(EXAMPLES.map(({ example }) => example.en.id));
  for (const { events } of told) {
    for (const { occurred_at, recorded_at = "" } of events) {
      expect(recorded_at).toBe(occurred_at);
      expect(recorded_at < NOW.toISOString()).toBe(true);
    }
  }
});

test("the demo's examples are in one language, except for the letters that they translate", async () => {
  const foreign = ["demo-example-translator", "demo-example-language-first"];
  const english = await playedExamples(NOW, "en", stage);
  expect(JSON.stringify(english)).not.toMatch(/[а-яё]/i);
  for (const { conversation_id, events } of await playedExamples(NOW, "ru", stage)) {
    const said = events.flatMap(({ payload }) =>
      isJsonObject(payload) && "content" in payload ? [payload.content] : [],
    );
    expect(said).toHaveLength(2);
    for (const content of said) expect(content).toMatch(/[а-яё]{3}/i);
    if (!foreign.includes(conversation_id)) expect(JSON.stringify(said)).not.toMatch(/\b(the|and|of)\b/);
  }
});

test("the demo leaves out examples whose delegate no longer exists", async () => {
  const delegates = { ...stage.delegates, list: () => [], find: () => undefined };
  const told = await playedExamples(NOW, "en", { ...stage, delegates });
  const ids = EXAMPLES.map(({ example }) => example.en.id).filter((id) => id !== "demo-example-translator");
  expect(told.map(({ conversation_id }) => conversation_id)).toEqual(ids);
});
