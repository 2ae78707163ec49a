import type { ImportedConversation } from "../../lib/intake/new-event.ts";
import type { Locale, Texts } from "../texts.ts";
import { Story } from "./story.ts";
import { MINUTE, nextWeekday, SECOND } from "./times.ts";

const TEXTS = {
  en: {
    title: "Moving the meeting with Nord Logistics",
    user: "Olga Perova",
    agent: "CRM assistant",
    instruction:
      "You are the CRM assistant of a sales team. Plan the calls and carry them out. Move meetings only to times when both people are free.",
    busy: "Both are busy on Monday",
    asks: "Move the meeting with Nord Logistics to Monday if you can",
    own: "Perova",
    contact: "Savin",
    was: "Friday, 11:00",
    noTime: "They have no time in common on Monday. I am looking for a time next week when both are free.",
    company: "Nord Logistics",
  },
  ru: {
    title: "Перенос встречи с «Норд-Логистик»",
    user: "Ольга Перова",
    agent: "CRM-ассистент",
    instruction:
      "Ты CRM-ассистент отдела продаж. Составь план вызовов и выполни его. Встречи переноси, только когда оба участника свободны.",
    busy: "В понедельник у обоих занято",
    asks: "Перенеси встречу с «Норд-Логистик» на понедельник, если получится",
    own: "Перова",
    contact: "Савин",
    was: "пятница, 11:00",
    noTime: "В понедельник общего времени нет. Ищу свободное время у обоих участников на следующей неделе.",
    company: "Норд-Логистик",
  },
} satisfies Texts;

/** «Перенос встречи»: running, in its second iteration. */
export function reschedule(now: Date, locale: Locale): ImportedConversation {
  const t = TEXTS[locale];
  const end = now.getTime();
  const monday = nextWeekday(end, 1);
  const about = {
    id: "demo-reschedule",
    title: t.title,
    channel: "telegram",
    user: t.user,
    agent: t.agent,
    locale,
    instruction: t.instruction,
  };
  const busy = { code: "busy", message: t.busy };
  return new Story(about, end - 6 * MINUTE)
    .stage(null, "demo")
    .user(t.asks)
    .later(5 * MINUTE + 42 * SECOND)
    .turn(
      (turn) =>
        turn
          .think(
            1_760,
            [1_388, 187],
            [
              { _tool: "crm.activity.list", _id: "meeting", COMPANY: "†input.company", _outputPath: "†state.meeting" },
              { _tool: "calendar.free", _id: "own", day: "†input.day", who: t.own, _outputPath: "†state.own" },
              {
                _tool: "calendar.free",
                _id: "theirs",
                day: "†input.day",
                who: "†state.meeting.contact",
                _outputPath: "†state.theirs",
              },
              {
                _tool: "findSlot",
                _id: "slot",
                own: "†state.own",
                theirs: "†state.theirs",
                _outputPath: "†state.slot || †state.error",
              },
              {
                _tool: "crm.activity.update",
                _id: "move",
                id: "†state.meeting.id",
                at: "†state.slot.at",
                _outputPath: "†state.moved",
              },
            ],
          )
          .play({
            meeting: { ms: 480, output: { id: 7_731, contact: t.contact, at: t.was } },
            own: { ms: 350, output: { free: ["09:00"] } },
            theirs: { ms: 720, output: { free: ["16:30"] } },
            slot: { ms: 30, error: busy, branch: 1 },
          })
          .say(t.noTime)
          .think(
            1_530,
            [2_104, 142],
            [
              {
                _tool: "calendar.week",
                _id: "week_own",
                from: "†input.day",
                who: t.own,
                _outputPath: "†state.week.own",
              },
              {
                _tool: "calendar.week",
                _id: "week_theirs",
                from: "†input.day",
                who: t.contact,
                _outputPath: "†state.week.theirs",
              },
              {
                _tool: "findSlot",
                _id: "best",
                weeks: "†state.week.own && †state.week.theirs",
                _outputPath: "†state.best",
              },
              {
                _tool: "crm.activity.update",
                _id: "move_week",
                id: 7_731,
                at: "†state.best.at",
                _outputPath: "†state.rescheduled",
              },
            ],
          )
          .play({
            week_own: { ms: 900, output: { tuesday: ["10:00", "15:00"], thursday: ["12:00"] } },
            week_theirs: { ms: 90 * SECOND, output: { tuesday: ["15:00"] } },
          }),
      { input: { company: t.company, day: monday } },
    )
    .recordedUntil(end);
}
