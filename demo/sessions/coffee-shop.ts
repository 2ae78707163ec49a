import type { ImportedConversation } from "../../lib/intake/new-event.ts";
import type { JsonObject } from "../../lib/session/json/json.ts";
import { type DialogAgent, DialogTurn } from "./dialog-turn.ts";
import { Story } from "./story.ts";
import { MINUTE, SECOND } from "./times.ts";

const ID = "demo-coffee-shop";

const ADMIN: DialogAgent = {
  id: "admin",
  instructions: "Ты администратор компании: услуги, цены, условия. Кто хочет увидеть, как это работает, получает демо.",
  tools: ["CallManager", "SwitchToDemo"],
};

const SETUP: DialogAgent = {
  id: "demo_setup",
  instructions: "Узнай, чем занимается бизнес пользователя, и верни JSON для демонстрации или вопрос.",
  tools: ["CallManager"],
  silent: true,
};

const SHOP = {
  niche: "кофейня",
  company_name: "Зерно",
  persona_instruction: "Ты бариста кофейни «Зерно»: меню, завтраки, часы работы.",
  welcome_message: "Добро пожаловать в «Зерно»! Подсказать по меню или забронировать столик?",
} satisfies JsonObject;

const DEMO: DialogAgent = {
  id: "demo",
  instructions: `Говори как сотрудник. ${SHOP.persona_instruction}`,
  tools: ["CallManager"],
  prefix: "[Демонстрация] ",
};

/** «Демо для кофейни»: a dialog through its stages, which the main graph directs, until the user says «стоп». */
export function coffeeShop(now: Date): ImportedConversation {
  const end = now.getTime();
  const about = {
    id: ID,
    title: "Демо для кофейни «Зерно»",
    channel: "telegram",
    user: "tg-40217",
    agent: ADMIN.id,
    locale: "ru" as const,
    instruction: ADMIN.instructions,
  };
  const story = new Story(about, end - 52 * MINUTE);
  const directed = (message: string, stage: string | null, shop: JsonObject | null, tell: (it: DialogTurn) => void) =>
    story
      .user(message)
      .turn((turn) => tell(new DialogTurn(turn, { message, chat_id: ID, stage, extracted_info: shop })), {
        directed: true,
      });

  directed("Здравствуйте! Сколько стоит ваш бот?", null, null, (it) => {
    it.keepStage("admin").ask("handle_admin", ADMIN).turn.think(1_180, [640, 52]);
    it.heard(
      ADMIN,
      "Здравствуйте! От 4 990 ₽ в месяц, первые две недели бесплатно. Хотите посмотреть его в деле?",
    ).end();
  });
  story.later(MINUTE);
  directed("Да, покажите, как он отвечал бы моим гостям", "admin", null, (it) => {
    it.ask("handle_admin", ADMIN)
      .turn.think(940, [712, 24], [{ _tool: "SwitchToDemo", _id: "switch", _outputPath: "†state.switched" }])
      .play({ switch: { ms: 12, output: { switched: true } } });
    it.heard(ADMIN, "", ["SwitchToDemo"]).keepStage("demo_setup").ask("handle_demo", SETUP).turn.think(870, [388, 31]);
    it.heard(SETUP, "С удовольствием! Чем занимается ваш бизнес и как он называется?").end();
  });
  story.later(40 * SECOND);
  directed("Кофейня «Зерно»: кофе, завтраки, десерты", "demo_setup", null, (it) => {
    it.ask("handle_demo_setup", SETUP).turn.think(1_310, [455, 118]);
    it.heard(SETUP, `${DEMO.prefix}${SHOP.welcome_message}`).keepConfiguration(SHOP).keepStage("demo").end();
  });
  story.later(MINUTE);
  directed("А на миндальном молоке капучино делаете?", "demo", SHOP, (it) => {
    it.ask("handle_demo", DEMO).turn.think(1_020, [530, 44]);
    it.heard(
      DEMO,
      `${DEMO.prefix}Конечно! Миндальное и овсяное есть всегда, доплата 60 ₽. Во сколько вас ждать?`,
    ).end();
  });
  story.later(2 * MINUTE);
  directed("Отлично, хочу такого бота в три кофейни. Можно поговорить с человеком о скидке?", "demo", SHOP, (it) => {
    const alert = "Владелец кофейни «Зерно» хочет подключить три точки и обсудить скидку.";
    it.ask("handle_demo", DEMO)
      .turn.think(
        910,
        [602, 47],
        [{ _tool: "CallManager", _id: "call", text: alert, reason: "Просит человека", _outputPath: "†state.called" }],
      )
      .play({ call: { ms: 15, output: { called: true } } })
      .alert(alert, "Просит человека")
      .say("Я позвал менеджера, он напишет вам сюда. Спасибо за терпение.")
      .finish("escalated");
  });
  story
    .later(4 * MINUTE)
    .takenOver("М. Орлова")
    .later(50 * SECOND)
    .operator("М. Орлова", "Здравствуйте! На три точки даём скидку 15 %, счёт пришлю сегодня.")
    .later(MINUTE)
    .handedBack("М. Орлова")
    .later(3 * MINUTE);
  directed("стоп", "demo", SHOP, (it) => {
    it.keepStage("admin").ask("handle_admin", ADMIN).turn.think(830, [690, 36]);
    it.heard(ADMIN, "Демонстрация закончена, снова с вами администратор. Что ещё подсказать?").end();
  });
  return story.recordedUntil(end);
}
