import type { ImportedConversation } from "../../lib/intake/new-event.ts";
import { Story } from "./story.ts";
import { MINUTE, nextWeekday, SECOND } from "./times.ts";

/** «Белый кит»: from the administrator to the set-up of a demonstration and into it. */
export function whiteWhale(now: Date): ImportedConversation {
  const end = now.getTime();
  const saturday = nextWeekday(end, 6);
  const about = {
    id: "demo-white-whale",
    title: "Демо: стоматология «Белый кит»",
    channel: "telegram",
    user: "Марина Лещук",
    agent: "Администратор",
    locale: "ru" as const,
    instruction:
      "Ты администратор компании: рассказываешь об услугах и ценах, а кто хочет попробовать, тому показываешь демонстрацию.",
    remembers: true as const,
  };
  const setUp = { agent: "Настройка демо" };
  const demo = { agent: "Демо" };
  return new Story(about, end - 34 * MINUTE)
    .stage(null, "admin")
    .user("Здравствуйте! А можно посмотреть, как бот будет отвечать моим пациентам?")
    .turn((turn) =>
      turn
        .think(
          1_120,
          [840, 46],
          [{ _tool: "SwitchToDemo", _id: "switch", topic: "ответы пациентам", _outputPath: "†state.switched" }],
        )
        .play({ switch: { ms: 40, output: { stage: "demo_setup" } } })
        .say("Конечно! Расскажите в двух словах, чем вы занимаетесь, и я отвечу как ваш сотрудник."),
    )
    .stage("admin", "demo_setup")
    .later(70 * SECOND)
    .user("Стоматология «Белый кит» в Казани, взрослые и дети")
    .turn(
      (turn) =>
        turn
          .think(
            1_840,
            [1_012, 158],
            [
              {
                _tool: "extractNiche",
                _id: "niche",
                text: "†input.text",
                _outputPath: "†state.niche || †state.question",
              },
              { _tool: "composeText", _id: "persona", niche: "†state.niche", _outputPath: "†state.persona" },
              { _tool: "askBack", _id: "ask", question: "†state.question", _outputPath: "†state.asked" },
              {
                _tool: "demo.configure",
                _id: "configure",
                persona: "†state.persona",
                company: "†state.niche.company_name",
                _outputPath: "†state.configuration",
              },
            ],
          )
          .goal("Показать Марине, как бот ответит пациентам")
          .play({
            niche: {
              ms: 930,
              model: { input: 388, output: 61 },
              output: { niche: "стоматология", company_name: "Белый кит" },
              branch: 0,
            },
            persona: {
              ms: 1_700,
              model: { input: 420, output: 190 },
              output: "Ты Алина, администратор стоматологии «Белый кит» в Казани.",
            },
            configure: { ms: 120, output: { version: 1 }, effect: "change" },
          })
          .say("Готово! Теперь я Алина, администратор «Белого кита». Пишите как пациент."),
      { ...setUp, input: { text: "Стоматология «Белый кит» в Казани, взрослые и дети" } },
    )
    .stage("demo_setup", "demo")
    .later(2 * MINUTE)
    .user("Болит зуб, можно в субботу утром?")
    .turn(
      (turn) =>
        turn
          .think(
            1_260,
            [1_190, 94],
            [
              { _tool: "calendar.free", _id: "free", day: "†input.day", _outputPath: "†state.slots" },
              {
                _tool: "calendar.book",
                _id: "book",
                at: "†state.slots.first",
                _outputPath: "†state.visit || †state.error",
              },
              {
                _tool: "calendar.hold",
                _id: "hold",
                at: "†state.slots.second",
                because: "†state.error",
                _outputPath: "†state.held",
              },
              {
                _tool: "composeText",
                _id: "answer",
                visit: "†state.visit || †state.held",
                _outputPath: "†state.answer",
              },
            ],
          )
          .goal("Записать пациента на субботу")
          .play({
            free: { ms: 340, output: { first: `${saturday}T09:30`, second: `${saturday}T10:30` } },
            book: { ms: 410, error: { code: "slot_taken", message: "09:30 только что заняли" }, branch: 1 },
            hold: { ms: 280, output: { at: `${saturday}T10:30` }, effect: "create" },
            answer: { ms: 870, model: { input: 460, output: 52 }, output: "Записала вас на осмотр в субботу, 10:30." },
          })
          .reached("Записать пациента на субботу")
          .say(
            "[Демонстрация] Записала вас на осмотр в субботу, 10:30. Если боль усилится, напишите: примем без записи.",
          ),
      { ...demo, input: { day: saturday } },
    )
    .later(3 * MINUTE)
    .user("Здорово. А сколько стоит подключить?")
    .turn(
      (turn) =>
        turn
          .think(1_080, [1_402, 63])
          .say("[Демонстрация] Это лучше спросить у администратора: напишите «стоп», и он ответит."),
      demo,
    )
    .recordedUntil(end);
}
