import { describe, expect, it } from "vitest";
import { eventProblems } from "../../lib/intake/new-event.ts";
import { folded, stored } from "../../lib/intake/testing/stored.ts";
import { emptyDocument, readDocument } from "../../lib/memory/document.ts";
import { buildGraph } from "../../lib/plan/graph.ts";
import { PAYLOADS } from "../../lib/session/events/catalogue.ts";
import { isEventType } from "../../lib/session/events/kinds.ts";
import { isJsonObject } from "../../lib/session/json/json.ts";
import { emptySession, fold } from "../../lib/session/reducer/reducer.ts";
import { statusOf } from "../../lib/session/summary/summary.ts";
import { demoConversations } from "./demo.ts";

const now = new Date("2026-11-21T15:12:20.000Z");
const demo = demoConversations(now, "ru");
const events = demo.flatMap((conversation) => conversation.events);
const sessions = new Map(demo.map(({ conversation_id, events: recorded }) => [conversation_id, folded(recorded)]));

function session(id: string) {
  const found = sessions.get(id);
  if (!found) throw new Error(`No demo session ${id}`);
  return found;
}

describe("demo sessions", () => {
  it("E2: contain only known event types, with unique ids", () => {
    expect(events.filter(({ type }) => !isEventType(type))).toEqual([]);
    expect(events.flatMap(eventProblems)).toEqual([]);
    expect(new Set(events.map(({ id }) => id)).size).toBe(events.length);
  });

  it("E6: fold without a warning, except the agent's own log entries", () => {
    const warnings = [...sessions.values()].flatMap((one) => one.warnings);
    expect(warnings.filter(({ code }) => code !== "self_check")).toEqual([]);
  });

  it("are in order, before now, each event caused by an earlier one", () => {
    for (const { events: recorded } of demo) {
      const places = new Map(recorded.map(({ id }, index) => [id, index]));
      recorded.forEach(({ caused_by, occurred_at, recorded_at }, index) => {
        expect(places.get(caused_by ?? "") ?? -1).toBeLessThan(index);
        expect(recorded_at ?? "").not.toBe("");
        expect(recorded_at ?? "").toSatisfy((time: string) => time <= now.toISOString());
        expect(occurred_at ?? "").toSatisfy((time: string) => time >= (recorded[index - 1]?.occurred_at ?? ""));
      });
    }
  });

  it("are the same for the same time, so that seeding twice duplicates nothing", () => {
    expect(demoConversations(now, "ru")).toEqual(demo);
  });

  it("cover every channel and every status", () => {
    const summaries = [...sessions.values()].map(({ summary }) => summary);
    expect(new Set(summaries.map(({ channel }) => channel))).toEqual(new Set(["telegram", "web", "api", "import"]));
    expect(new Set(summaries.map(statusOf))).toEqual(new Set(["idle", "running", "waiting", "escalated", "failed"]));
  });

  it("are in one language, and otherwise the same", () => {
    const english = demoConversations(now, "en");
    expect(JSON.stringify(english)).not.toMatch(/[а-яё]/i);
    const outlineOf = (conversations: typeof demo) =>
      conversations.map(({ conversation_id, events: recorded }) => ({
        conversation_id,
        events: recorded.map(({ id, type, run_id, caused_by, occurred_at }) => ({
          id,
          type,
          run_id,
          caused_by,
          occurred_at,
        })),
      }));
    expect(outlineOf(english)).toEqual(outlineOf(demo));
    for (const session of sessions.values()) {
      expect(session.summary.title ?? session.messages[0]?.content).toMatch(/[а-яё]/i);
      const said = session.messages.filter(
        ({ role, content }) => role !== "tool" && /[a-zа-яё]{3} /i.test(String(content)),
      );
      expect(said.map(({ content }) => String(content)).filter((content) => !/[а-яё]/i.test(content))).toEqual([]);
    }
    expect(english.flatMap(({ events: recorded }) => recorded).flatMap(eventProblems)).toEqual([]);
  });

  it("cover every call status", () => {
    const calls = [...sessions.values()].flatMap((one) => [...one.calls.values()]);
    const statuses = new Set(calls.map(({ status }) => status));
    expect([...statuses].sort()).toEqual([
      "blocked",
      "denied",
      "failed",
      "parked",
      "planned",
      "running",
      "skipped",
      "succeeded",
    ]);
    expect(calls.some(({ tries, status }) => tries.length > 0 && status === "succeeded")).toBe(true);
    expect(calls.some(({ handled }) => handled)).toBe(true);
  });

  it("P15: contain every kind of edge", () => {
    const plans = [...sessions.values()].flatMap((one) => [...one.plans.values()]);
    const graphs = plans.map(({ calls }) => buildGraph(calls));
    expect(graphs.flatMap(({ problems }) => problems)).toEqual([]);
    const kinds = new Set(graphs.flatMap(({ edges }) => edges.map(({ kind }) => kind)));
    expect(kinds).toEqual(new Set(["branch", "fallback", "gate", "fanout", "data"]));
  });

  it("M2: have memories in the agent's format, at every step", () => {
    const remembered = demo.filter(({ events: recorded }) => recorded.some(({ type }) => type === "memory.updated"));
    expect(remembered.map(({ conversation_id }) => conversation_id)).toEqual(["demo-deal-1842", "demo-white-whale"]);
    for (const { conversation_id, events: recorded } of remembered) {
      let now = emptySession(conversation_id);
      for (const event of stored(recorded)) {
        now = fold(now, [event]);
        if (event.type === "memory.updated") expect(readDocument(now.memory)).toMatchObject({ ok: true });
      }
    }
  });

  it("H6: have prompts with the origins of their parts, and token estimates", () => {
    const prompts = demo.flatMap(({ events: recorded }) => {
      const said = new Set<unknown>();
      return recorded.flatMap(({ type, payload }) => {
        if (type === "message.created" && isJsonObject(payload)) said.add(payload.message_id);
        return type === "prompt.rendered" ? [{ told: PAYLOADS[type].parse(payload), said: [...said] }] : [];
      });
    });
    expect(prompts.length).toBeGreaterThan(10);
    for (const { told, said } of prompts) {
      const { prompt, parts = [], history, budget, missing, tokens } = told;
      const shown = parts.flatMap(({ messages = [] }) => messages);
      expect(shown.map(({ id }) => id)).toEqual(said);
      for (const { start, end } of shown) expect(prompt.slice(start, end)).toMatch(/^\[\d\d:\d\d\] \p{L}+: /u);
      expect(history).toMatchObject({ source: "prompt", total: said.length, shown: said.length, truncated: false });
      expect([missing, (budget?.system ?? 0) + (budget?.history ?? 0)]).toEqual([[], tokens]);
    }
  });

  it("P21: leave nothing open in an ended run", () => {
    for (const one of sessions.values()) {
      const ended = new Set([...one.runs.values()].filter(({ ended_seq }) => ended_seq !== null).map(({ id }) => id));
      const open = [...one.calls.values()].filter(
        ({ run_id, status }) => ended.has(run_id ?? "") && ["planned", "running", "parked"].includes(status),
      );
      expect(open).toEqual([]);
    }
  });
});

describe("the demo session of the coffee shop", () => {
  it("D1, D2, D9: visits every stage, calls a manager, and returns with «стоп»", () => {
    const { runs, summary, alerts } = session("demo-coffee-shop");
    expect([...runs.values()].map(({ stages }) => stages.map(({ node }) => node))).toEqual([
      ["detect_stage", "handle_admin", "END"],
      ["detect_stage", "handle_admin", "handle_demo", "END"],
      ["detect_stage", "handle_demo_setup", "END"],
      ["detect_stage", "handle_demo", "END"],
      ["detect_stage", "handle_demo"],
      ["detect_stage", "handle_admin", "END"],
    ]);
    expect([...runs.values()].map(({ reason }) => reason)).toEqual([null, null, null, null, "escalated", null]);
    expect([summary.stage, alerts.length, statusOf(summary)]).toEqual(["admin", 1, "idle"]);
  });
});

describe("the demo session of deal 1842", () => {
  const recorded = stored(demo.find(({ conversation_id }) => conversation_id === "demo-deal-1842")?.events ?? []);
  const written = recorded.findLastIndex(
    ({ type, payload }) => type === "state.written" && JSON.stringify(payload).includes('"①","path":"†state.task"'),
  );
  const then = fold(emptySession("demo-deal-1842"), recorded.slice(0, written + 1));
  const statusesOf = (instance: string, run: string) =>
    Object.fromEntries(
      [...then.calls.values()]
        .filter((call) => call.instance === instance && call.run_id === run)
        .map(({ id, status }) => [id, status]),
    );

  it("is as in the product's picture when the task is written", () => {
    expect(statusesOf("①", "demo-deal-1842:run-3")).toEqual({
      get: "succeeded",
      policy: "succeeded",
      contact: "succeeded",
      update: "parked",
      refusal: "skipped",
      task: "succeeded",
      summarize: "running",
      notify: "planned",
    });
    expect(statusesOf("①", "demo-deal-1842:run-3.summarize①")).toEqual({ activities: "succeeded", text: "running" });
    expect(then.runs.get("demo-deal-1842:run-3")?.state["①"]).toMatchObject({
      deal: { id: 1842, amount: 1_180_000, contact: 377 },
      allowed: { limit: 1_500_000 },
      task: { id: 9317, deadline: "2026-11-26T15:00" },
    });
  });

  it("has pending approvals for both deals, with old and new values", () => {
    const open = [...session("demo-deal-1842").confirmations.values()].filter(({ status }) => status === "requested");
    expect(open.map(({ instance, description, before }) => [instance, description, before])).toEqual([
      ["①", "Поднять сумму сделки 1842", { OPPORTUNITY: 1_180_000 }],
      ["②", "Поднять сумму сделки 1907", { OPPORTUNITY: 540_000 }],
    ]);
  });

  it("M5, M6, M9: remembers completed, pending and planned actions", () => {
    const read = readDocument(session("demo-deal-1842").memory);
    const document = read.ok ? read.document : emptyDocument();
    expect(document.goals).toEqual(["Поднять суммы сделок 1842 и 1907", "Держать Илью в курсе по Кравцовой"]);
    expect(document.objects).toMatchObject({ current_company_id: 58 });
    expect(document.done.map(({ description }) => description)).toEqual(
      expect.arrayContaining([
        "Просмотрено сделок: 1",
        "Изменена сделка 1842: сумма",
        "Создана задача 9288",
        "Добавлен пункт чек-листа 5521 к задаче 9288",
        "Добавлен комментарий 70114 к сделке 1842",
      ]),
    );
    expect(document.in_progress.map(({ description }) => description)).toEqual([
      "Поднять сумму сделки 1842",
      "Поднять сумму сделки 1907",
    ]);
    expect(document.next_planned_actions.map(({ params }) => params)).toEqual([
      { id: 1842, fields: { OPPORTUNITY: 1_450_000 } },
      { id: 1907, fields: { OPPORTUNITY: 620_000 } },
    ]);
    expect(Object.entries(document.confirmations).map(([key, { status }]) => [key, status])).toEqual([
      ["deal_1842_opportunity", "requested"],
      ["deal_1907_opportunity", "requested"],
    ]);
  });

  it("has four turns with hours between them", () => {
    const runs = [...session("demo-deal-1842").runs.values()].filter(({ parent_run_id }) => parent_run_id === null);
    expect(runs.map(({ status }) => status)).toEqual(["finished", "finished", "waiting", "finished"]);
    const hours = runs.map(({ started_at }) => (now.getTime() - Date.parse(started_at ?? "")) / 3_600_000);
    expect(hours.map((ago) => Math.round(ago * 10) / 10)).toEqual([5.1, 4.9, 2.2, 1.5]);
  });
});
