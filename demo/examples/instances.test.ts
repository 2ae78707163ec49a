import { describe, expect, it } from "vitest";
import { isJsonObject } from "../../lib/session/json/json.ts";
import type { Call } from "../../lib/session/session.ts";
import { commentsIn, isWithdrawn } from "./comments.ts";
import { moderation } from "./moderation.ts";
import {
  call,
  calls,
  follows,
  once,
  overlap,
  played,
  stateOf,
  statuses,
  topRun,
  withOutside,
} from "./testing/played.ts";
import { translatorInstances } from "./translator-instances.ts";

const { comments, doubtOf, rudenessOf } = commentsIn("ru");

describe("moderation of 100 comments as instances", () => {
  it("P25: the same plan runs for each comment, with its text and the common rules", async () => {
    const one = await once(moderation.ru);
    expect(Object.keys(topRun(one).state).filter((name) => name !== "")).toEqual(comments.map(({ id }) => id));
    for (const { id, text } of comments) {
      expect(call(one, "classify", { instance: id }).params).toEqual({
        text,
        rules: "Спорить можно, оскорблять нельзя",
      });
    }
  });

  it("P10, P12: each comment takes its branch, and actions are logged for all", async () => {
    const one = await once(moderation.ru);
    for (const { id, text } of comments.filter((comment) => !isWithdrawn(comment.id))) {
      const action = rudenessOf(text) !== null ? "hidden" : doubtOf(text) !== null ? "handed_over" : "published";
      expect(stateOf(one, id)).toMatchObject({ done: { action }, logged: { entry: `j-${id}` } });
    }
  });

  it("P26: two comments fail, and the other 98 finish", async () => {
    const one = await once(moderation.ru);
    const failed = comments.filter(({ id }) => calls(one, { instance: id }).get("publish")?.status === "failed");
    expect(failed.map(({ id }) => isWithdrawn(id))).toEqual([true, true]);
    for (const { id } of failed) {
      expect(statuses(one, { instance: id })).toMatchObject({ classify: "succeeded", hide: "skipped", log: "blocked" });
    }
    const logged = comments.filter(({ id }) => statuses(one, { instance: id }).log === "succeeded");
    expect(logged).toHaveLength(98);
    expect(topRun(one)).toMatchObject({ status: "failed" });
  });

  it("P20, P26: sixteen run at once, and slots rotate: every comment is checked before any is published", async () => {
    const { events, session } = await once(moderation.ru);
    const starts = events.flatMap(({ type, payload }) =>
      type === "call.started" && isJsonObject(payload) ? [payload] : [],
    );
    expect(new Set(starts.slice(0, 100).map(({ instance }) => instance)).size).toBe(100);
    expect(new Set(starts.slice(0, 100).map(({ call_id }) => call_id))).toEqual(new Set(["classify"]));
    const ran = [...session.calls.values()].filter(({ started_seq }) => started_seq !== null);
    const atOnce = ran.map((one) => ran.filter((other) => isOpenAtStartOf(other, one)).length);
    expect(Math.max(...atOnce)).toBe(16);
  });

  it("P13: a write that violates the state's schema fails its call, and nothing is written", async () => {
    const [{ id = "" } = {}] = comments;
    const score = { type: "number", maximum: 1 };
    const schema = { type: "object", properties: { clean: { type: "object", properties: { score } } } };
    const bounded = { ...moderation.ru, context: [{ type: "state", schema }, ...moderation.ru.context.slice(1, 3)] };
    const one = await played(withOutside(bounded, "comments.classify", () => ({ ms: 1, output: { score: 7 } })));
    const error = { code: "invalid_output", message: expect.stringContaining("score") };
    expect(call(one, "classify", { instance: id })).toMatchObject({ status: "failed", error });
    expect(stateOf(one, id)).toEqual({});
  });
});

function isOpenAtStartOf(other: Call, one: Call): boolean {
  const [start, end] = [other.started_seq ?? 0, other.ended_seq ?? 0];
  return start <= (one.started_seq ?? 0) && (one.started_seq ?? 0) < end;
}

describe("a translator for two instances", () => {
  const LETTERS = [
    { instance: "①", own: "Dear Rita", other: "先日の釉薬", language: "pt" },
    { instance: "②", own: "先日の釉薬", other: "Dear Rita", language: "en" },
  ];

  it("P27, P28: each translator sees only the state of its instance", async () => {
    const { requests } = await once(translatorInstances.en);
    expect(requests).toHaveLength(2);
    for (const { own, other, language } of LETTERS) {
      const [request, ...more] = requests.filter(({ input }) => JSON.stringify(input).includes(own));
      expect(more).toEqual([]);
      const seen = JSON.stringify(request);
      expect(seen).toContain("You are a translator.");
      expect(seen).toContain(`\\"language\\":\\"${language}\\"`);
      for (const hidden of [other, "owes", "1870", "ledger", "rita.moura@azulejo.example", "①", "②", "mail.draft"])
        expect(seen).not.toContain(hidden);
    }
  });

  it("P25, P27: its output is the call's result, in the state of its instance", async () => {
    const one = await once(translatorInstances.en);
    for (const { instance, language } of LETTERS) {
      expect(statuses(one, { instance })).toEqual({ translate: "succeeded", draft: "succeeded" });
      expect(stateOf(one, instance).translation).toMatchObject({ language });
    }
    expect(stateOf(one, "①").translation).toMatchObject({ text: expect.stringContaining("Cara Rita") });
    expect(stateOf(one, "②").translation).toMatchObject({ text: expect.stringContaining("glaze samples") });
    expect(call(one, "draft", { instance: "②" }).params).toMatchObject({ to: "sales@kilnworks.example" });
  });

  it("P27: each is a child run of its call, both at the same time", async () => {
    const one = await once(translatorInstances.en);
    const children = [...one.session.runs.values()].filter(({ parent_run_id }) => parent_run_id === topRun(one).id);
    expect(children.map(({ parent_instance }) => parent_instance)).toEqual(["①", "②"]);
    for (const child of children)
      expect(child).toMatchObject({ delegate: "translator", parent_call_id: "translate", status: "finished" });
    const [first, second] = children;
    expect(first && second && overlap(first, second)).toBe(true);
    // The shorter letter does not wait for the longer one.
    expect(follows(call(one, "draft", { instance: "①" }), call(one, "translate", { instance: "②" }))).toBe(false);
  });
});
