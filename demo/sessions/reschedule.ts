import type { ImportedConversation } from "../../lib/intake/new-event.ts";
import { Story } from "./story.ts";
import { MINUTE, nextWeekday, SECOND } from "./times.ts";

/** «Перенос встречи»: going on right now, in the middle of its second iteration. */
export function reschedule(now: Date): ImportedConversation {
  const end = now.getTime();
  const monday = nextWeekday(end, 1);
  const about = {
    id: "demo-reschedule",
    title: "Перенос встречи с «Норд-Логистик»",
    channel: "telegram",
    user: "Ольга Перова",
    agent: "CRM-ассистент",
    locale: "ru" as const,
    instruction:
      "Ты CRM-ассистент отдела продаж. Составь план вызовов и выполни его. Встречи переноси, только когда оба участника свободны.",
  };
  const busy = { code: "busy", message: "В понедельник у обоих занято" };
  return new Story(about, end - 6 * MINUTE)
    .stage(null, "demo")
    .user("Перенеси встречу с «Норд-Логистик» на понедельник, если получится")
    .later(5 * MINUTE + 42 * SECOND)
    .turn(
      (turn) =>
        turn
          .think(
            1_760,
            [1_388, 187],
            [
              { _tool: "crm.activity.list", _id: "meeting", COMPANY: "†input.company", _outputPath: "†state.meeting" },
              { _tool: "calendar.free", _id: "own", day: "†input.day", who: "Перова", _outputPath: "†state.own" },
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
            meeting: { ms: 480, output: { id: 7_731, contact: "Савин", at: "пятница, 11:00" } },
            own: { ms: 350, output: { free: ["09:00"] } },
            theirs: { ms: 720, output: { free: ["16:30"] } },
            slot: { ms: 30, error: busy, branch: 1 },
          })
          .say("В понедельник общего времени нет. Ищу свободное время у обоих участников на следующей неделе.")
          .think(
            1_530,
            [2_104, 142],
            [
              {
                _tool: "calendar.week",
                _id: "week_own",
                from: "†input.day",
                who: "Перова",
                _outputPath: "†state.week.own",
              },
              {
                _tool: "calendar.week",
                _id: "week_theirs",
                from: "†input.day",
                who: "Савин",
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
      { input: { company: "Норд-Логистик", day: monday } },
    )
    .recordedUntil(end);
}
