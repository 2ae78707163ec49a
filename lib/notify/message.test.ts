import { expect, it } from "vitest";
import type { Notice } from "../../db/notices.ts";
import { linesOf, type Manner, tell } from "./message.ts";
import { html, plainText } from "./text.ts";

const manner: Manner = {
  ...{ locale: "en", timezone: "Europe/Moscow", address: "https://obelus.example.org", content: false },
  describe: (method) => (method === "crm.deal.update" ? "Changes a deal" : null),
};
const asked: Notice = {
  ...{
    kind: "confirmation",
    id: "k/1?",
    number: 0,
    conversation_id: "telegram:7",
    title: "Anna Ivanova",
    agent_id: "admin",
  },
  ...{ since: "2026-11-22T11:02:00.000Z", method: "crm.deal.update", text: "Change Anna's deal to 5 <b>" },
};
const called: Notice = { ...asked, kind: "alert", id: "a", number: 2, method: null, text: "Anna is angry" };
const message = (...notices: Notice[]) => ({
  id: "n",
  tries: 0,
  notices,
  counts: { confirmation: 1, alert: 1, mention: 0, rule: 0 },
});

it("Inform: a notification has action, requester, place and time, with a link to the confirmation", () => {
  const outgoing = tell(message(asked, called), manner);
  expect(outgoing.subject).toBe("1 confirmation and 1 alert await you");
  expect(outgoing.notices[0]).toEqual({
    ...{
      id: "confirmation:k/1?:0",
      kind: "confirmation",
      rule: null,
      conversation_id: "telegram:7",
      agent_id: "admin",
      reminder: 0,
    },
    ...{
      since: asked.since,
      action: { name: "crm.deal.update", description: "Changes a deal" },
      mention: null,
      text: null,
      title: null,
    },
    link: "https://obelus.example.org/approvals?selected=k%2F1%3F",
  });
  expect(plainText(outgoing, manner)).toBe(
    [
      "crm.deal.update: Changes a deal",
      "agent admin · conversation telegram:7 · since Nov 22, 2026, 02:02 PM GMT+3",
      "https://obelus.example.org/approvals?selected=k%2F1%3F",
      "",
      "A manager was called (reminder 2)",
      "agent admin · conversation telegram:7 · since Nov 22, 2026, 02:02 PM GMT+3",
      "https://obelus.example.org/conversations/telegram%3A7",
      "",
      "https://obelus.example.org/approvals",
    ].join("\n"),
  );
});

it("Inform: content is only sent if configured, and as text", () => {
  const silent = tell(message(asked, called), manner);
  expect(JSON.stringify(silent) + plainText(silent, manner) + html(silent, manner)).not.toContain("Anna");
  const outgoing = tell(message(asked, called), { ...manner, content: true });
  expect(plainText(outgoing, manner)).toContain("Anna Ivanova\nChange Anna's deal to 5 <b>\nagent");
  expect(html(outgoing, manner)).toContain("Change Anna's deal to 5 &#60;b&#62;");
});

it("Inform: two hundred are one message with a number, in the configured language", () => {
  const notices = Array.from({ length: 50 }, (_, n) => ({ ...asked, id: `k${n}` }));
  const russian: Manner = { ...manner, locale: "ru" };
  const outgoing = tell(
    { id: "n", tries: 0, notices, counts: { confirmation: 201, alert: 2, mention: 0, rule: 0 } },
    russian,
  );
  expect(outgoing.subject).toBe("Вас ждут: 201 подтверждение и 2 вызова");
  const text = plainText(outgoing, russian);
  expect(text.match(/selected=/g)).toHaveLength(10);
  expect(text).toMatch(/и ещё 193: https:\/\/obelus\.example\.org\/approvals$/);
});

it("Inform: a mention says whom and by whom, and leads to the note; its text is content", () => {
  const mention = { names: ["anna", "boris"], by: "operator:jl", seq: 41 };
  const noted: Notice = { ...asked, kind: "mention", id: "n", method: null, text: "Refund by hand", mention };
  const told = { id: "n", tries: 0, notices: [noted], counts: { confirmation: 0, alert: 0, mention: 1, rule: 0 } };
  const outgoing = tell(told, manner);
  expect(outgoing.subject).toBe("1 mention awaits you");
  const text = plainText(outgoing, manner);
  expect(text).toContain("@anna, @boris: a note by operator:jl");
  expect(text).toContain("https://obelus.example.org/conversations/telegram%3A7?tab=review&at=41");
  expect(text).not.toContain("Refund by hand");
  expect(plainText(tell(told, { ...manner, content: true }), manner)).toContain("Refund by hand");
});

it("Inform: an alert rule has its value beside its threshold, and a link to exactly what it counted", () => {
  const at = Date.parse("2026-11-22T11:20:00.000Z");
  const fires: Notice = {
    ...{ kind: "rule", id: "f", number: 0, conversation_id: null, title: null, agent_id: null },
    ...{ since: "2026-11-22T11:20:00.000Z", method: null, text: null },
    rule: {
      ...{ id: "r", name: "Refunds fail", value: 0.1641, count: 128, from: Date.parse("2026-11-22T11:00:00.000Z"), at },
      condition: {
        ...{ metric: "error_rate", operator: "above", threshold: 0.05, tool: "payments.refund" },
        ...{ window_hours: 1, min_count: 20, quiet_minutes: 60 },
      },
    },
  };
  const counts = { confirmation: 0, alert: 0, mention: 0, rule: 1 };
  const outgoing = tell({ id: "n", tries: 0, notices: [fires], counts }, manner);
  expect(outgoing).toMatchObject({
    subject: "1 alert rule fires",
    link: "https://obelus.example.org/alert-rules",
    notices: [
      {
        id: "rule:f:0",
        conversation_id: null,
        rule: { id: "r", name: "Refunds fail", value: 0.1641 },
        link: "https://obelus.example.org/?happened=failed_call&tool=payments.refund&since=2026-11-22T11%3A00%3A00.000Z&until=2026-11-22T12%3A00%3A00.000Z",
      },
    ],
  });
  const [line] = outgoing.notices;
  expect(line && linesOf(line, { locale: "en", timezone: "UTC" })[0]).toBe(
    "Refunds fail: error rate payments.refund 16.4 % (above 5 %), of 128",
  );
  expect(line && linesOf(line, { locale: "ru", timezone: "UTC" })[0]).toBe(
    "Refunds fail: доля ошибок payments.refund 16,4 % (выше 5 %), всего 128",
  );
});

it("Inform: an alert rule that does not fire any more says how long it did", () => {
  const at = Date.parse("2026-11-22T11:20:00.000Z");
  const notice: Notice = {
    ...{ kind: "rule", id: "f", number: -1, conversation_id: null, title: null, agent_id: null },
    ...{ since: "2026-11-22T11:20:00.000Z", method: null, text: null },
    rule: {
      ...{ id: "r", name: "Refunds fail", value: 0.2, count: 9, from: at, at, ended: at + 72 * 60_000 },
      condition: {
        ...{ metric: "error_rate", operator: "above", threshold: 0.05 },
        ...{ window_hours: 1, min_count: 1, quiet_minutes: 60 },
      },
    },
  };
  const counts = { confirmation: 0, alert: 0, mention: 0, rule: 1 };
  const outgoing = tell({ id: "n", tries: 0, notices: [notice], counts }, manner);
  expect(outgoing).toMatchObject({ subject: "1 alert rule has ended", notices: [{ rule: { lasted_ms: 4_320_000 } }] });
  const [line] = outgoing.notices;
  expect(line && linesOf(line, { locale: "en", timezone: "UTC" })[0]).toBe("Refunds fail: ended after 1 h 12 min");
  expect(line && linesOf(line, { locale: "ru", timezone: "UTC" })[0]).toBe(
    "Refunds fail: закончилось через 1 ч 12 мин",
  );
});
