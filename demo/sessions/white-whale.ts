import type { ImportedConversation } from "../../lib/intake/new-event.ts";
import type { Locale, Texts } from "../texts.ts";
import { Story } from "./story.ts";
import { MINUTE, nextWeekday, SECOND } from "./times.ts";

const TEXTS = {
  en: {
    title: "Demo: the White Whale dental clinic",
    user: "Marina Leshchuk",
    agent: "Front desk",
    instruction:
      "You are the front desk of a company: you tell people about services and prices, and show a demo to whoever wants to try.",
    setUp: "Demo setup",
    demo: "Demo",
    asksToSee: "Hello! Could I see how the bot would answer my patients?",
    topic: "answers to patients",
    sure: "Of course! Tell me in a few words what you do, and I will answer like one of your staff.",
    clinic: "The White Whale dental clinic in Leeds, adults and children",
    goalShow: "Show Marina how the bot answers patients",
    niche: "dental clinic",
    company: "White Whale",
    persona: "You are Alina, at the front desk of the White Whale dental clinic in Leeds.",
    ready: "Done! From now on I am Alina at the White Whale's front desk. Write to me like a patient.",
    asksVisit: "I have a toothache, could I come on Saturday morning?",
    goalBook: "Book the patient for Saturday",
    taken: "09:30 has just been taken",
    booked: "You are booked for a check-up on Saturday, 10:30.",
    bookedSaid:
      "[Demo] You are booked for a check-up on Saturday, 10:30. If the pain gets worse, write to us: we will see you without an appointment.",
    asksPrice: "Great. And what does it cost?",
    askFrontDesk: '[Demo] Better ask the front desk: write "stop" and they will answer.',
  },
  ru: {
    title: "Демо: стоматология «Белый кит»",
    user: "Марина Лещук",
    agent: "Администратор",
    instruction:
      "Ты администратор компании: рассказываешь об услугах и ценах, а кто хочет попробовать, тому показываешь демонстрацию.",
    setUp: "Настройка демо",
    demo: "Демо",
    asksToSee: "Здравствуйте! А можно посмотреть, как бот будет отвечать моим пациентам?",
    topic: "ответы пациентам",
    sure: "Конечно! Расскажите в двух словах, чем вы занимаетесь, и я отвечу как ваш сотрудник.",
    clinic: "Стоматология «Белый кит» в Казани, взрослые и дети",
    goalShow: "Показать Марине, как бот ответит пациентам",
    niche: "стоматология",
    company: "Белый кит",
    persona: "Ты Алина, администратор стоматологии «Белый кит» в Казани.",
    ready: "Готово! Теперь я Алина, администратор «Белого кита». Пишите как пациент.",
    asksVisit: "Болит зуб, можно в субботу утром?",
    goalBook: "Записать пациента на субботу",
    taken: "09:30 только что заняли",
    booked: "Записала вас на осмотр в субботу, 10:30.",
    bookedSaid:
      "[Демонстрация] Записала вас на осмотр в субботу, 10:30. Если боль усилится, напишите: примем без записи.",
    asksPrice: "Здорово. А сколько стоит подключить?",
    askFrontDesk: "[Демонстрация] Это лучше спросить у администратора: напишите «стоп», и он ответит.",
  },
} satisfies Texts;

/** «Белый кит»: from the administrator to the setup of a demonstration and into it. */
export function whiteWhale(now: Date, locale: Locale): ImportedConversation {
  const t = TEXTS[locale];
  const end = now.getTime();
  const saturday = nextWeekday(end, 6);
  const about = {
    id: "demo-white-whale",
    title: t.title,
    channel: "telegram",
    user: t.user,
    agent: t.agent,
    locale,
    instruction: t.instruction,
    remembers: true as const,
  };
  const setUp = { agent: t.setUp };
  const demo = { agent: t.demo };
  return new Story(about, end - 34 * MINUTE)
    .stage(null, "admin")
    .user(t.asksToSee)
    .turn((turn) =>
      turn
        .think(
          1_120,
          [840, 46],
          [{ _tool: "SwitchToDemo", _id: "switch", topic: t.topic, _outputPath: "†state.switched" }],
        )
        .play({ switch: { ms: 40, output: { stage: "demo_setup" } } })
        .say(t.sure),
    )
    .stage("admin", "demo_setup")
    .later(70 * SECOND)
    .user(t.clinic)
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
          .goal(t.goalShow)
          .play({
            niche: {
              ms: 930,
              model: { input: 388, output: 61 },
              output: { niche: t.niche, company_name: t.company },
              branch: 0,
            },
            persona: {
              ms: 1_700,
              model: { input: 420, output: 190 },
              output: t.persona,
            },
            configure: { ms: 120, output: { version: 1 }, effect: "change" },
          })
          .say(t.ready),
      { ...setUp, input: { text: t.clinic } },
    )
    .stage("demo_setup", "demo")
    .later(2 * MINUTE)
    .user(t.asksVisit)
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
          .goal(t.goalBook)
          .play({
            free: { ms: 340, output: { first: `${saturday}T09:30`, second: `${saturday}T10:30` } },
            book: { ms: 410, error: { code: "slot_taken", message: t.taken }, branch: 1 },
            hold: { ms: 280, output: { at: `${saturday}T10:30` }, effect: "create" },
            answer: { ms: 870, model: { input: 460, output: 52 }, output: t.booked },
          })
          .reached(t.goalBook)
          .say(t.bookedSaid),
      { ...demo, input: { day: saturday } },
    )
    .later(3 * MINUTE)
    .user(t.asksPrice)
    .turn((turn) => turn.think(1_080, [1_402, 63]).say(t.askFrontDesk), demo)
    .recordedUntil(end);
}
