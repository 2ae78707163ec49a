import type { ImportedConversation } from "../../lib/intake/new-event.ts";
import type { JsonObject } from "../../lib/session/json/json.ts";
import type { Locale, Texts } from "../texts.ts";
import { type DialogAgent, DialogTurn } from "./dialog-turn.ts";
import { Story } from "./story.ts";
import { MINUTE, SECOND } from "./times.ts";

const TEXTS = {
  en: {
    admin: "You are the front desk of a company: services, prices, terms. Whoever wants to see it at work gets a demo.",
    setup: "Find out what the user's business does, and return JSON for the demo or a question.",
    speakAsStaff: "Speak like one of the staff.",
    niche: "coffee shop",
    company: "Daily Grind",
    persona: "You are a barista at the Daily Grind: menu, breakfasts, opening hours.",
    welcome: "Welcome to the Daily Grind! Would you like help with the menu, or a table?",
    prefix: "[Demo] ",
    milk: "Of course! We always have almond and oat milk, 50 cents extra. When may we expect you?",
    title: "Demo for the Daily Grind",
    asksPrice: "Hello! What does your bot cost?",
    price: "Hello! From $49 a month, the first two weeks are free. Would you like to see it at work?",
    asksToSee: "Yes, show me how it would answer my guests",
    asksNiche: "With pleasure! What does your business do, and what is it called?",
    shopTold: "The Daily Grind: coffee, breakfasts, desserts",
    asksMilk: "Do you make a cappuccino with almond milk?",
    asksPerson: "Great, I want this bot for three coffee shops. Could I talk to a person about a discount?",
    alert: "The owner of the Daily Grind wants the bot for three shops and asks about a discount.",
    reason: "Asks for a person",
    called: "I have called a manager, who will write to you here. Thank you for your patience.",
    manager: "M. Orlova",
    discount: "Hello! For three shops we give 15% off. I will send the invoice today.",
    stop: "stop",
    ended: "The demo is over, and the front desk is back with you. What else would you like to know?",
  },
  ru: {
    admin: "Ты администратор компании: услуги, цены, условия. Кто хочет увидеть, как это работает, получает демо.",
    setup: "Узнай, чем занимается бизнес пользователя, и верни JSON для демонстрации или вопрос.",
    speakAsStaff: "Говори как сотрудник.",
    niche: "кофейня",
    company: "Зерно",
    persona: "Ты бариста кофейни «Зерно»: меню, завтраки, часы работы.",
    welcome: "Добро пожаловать в «Зерно»! Подсказать по меню или забронировать столик?",
    prefix: "[Демонстрация] ",
    milk: "Конечно! Миндальное и овсяное есть всегда, доплата 60 ₽. Во сколько вас ждать?",
    title: "Демо для кофейни «Зерно»",
    asksPrice: "Здравствуйте! Сколько стоит ваш бот?",
    price: "Здравствуйте! От 4 990 ₽ в месяц, первые две недели бесплатно. Хотите посмотреть его в деле?",
    asksToSee: "Да, покажите, как он отвечал бы моим гостям",
    asksNiche: "С удовольствием! Чем занимается ваш бизнес и как он называется?",
    shopTold: "Кофейня «Зерно»: кофе, завтраки, десерты",
    asksMilk: "А на миндальном молоке капучино делаете?",
    asksPerson: "Отлично, хочу такого бота в три кофейни. Можно поговорить с человеком о скидке?",
    alert: "Владелец кофейни «Зерно» хочет подключить три точки и обсудить скидку.",
    reason: "Просит человека",
    called: "Я позвал менеджера, он напишет вам сюда. Спасибо за терпение.",
    manager: "М. Орлова",
    discount: "Здравствуйте! На три точки даём скидку 15 %, счёт пришлю сегодня.",
    stop: "стоп",
    ended: "Демонстрация закончена, снова с вами администратор. Что ещё подсказать?",
  },
} satisfies Texts;

type ShopTexts = (typeof TEXTS)[Locale];

const ID = "demo-coffee-shop";

/** The dialog's agents, and the shop of the demonstration. */
function castIn(t: ShopTexts) {
  const shop = {
    niche: t.niche,
    company_name: t.company,
    persona_instruction: t.persona,
    welcome_message: t.welcome,
  } satisfies JsonObject;
  const admin: DialogAgent = { id: "admin", instructions: t.admin, tools: ["CallManager", "SwitchToDemo"] };
  const setup: DialogAgent = { id: "demo_setup", instructions: t.setup, tools: ["CallManager"], silent: true };
  const demo: DialogAgent = {
    id: "demo",
    instructions: `${t.speakAsStaff} ${t.persona}`,
    tools: ["CallManager"],
    prefix: t.prefix,
  };
  return { shop, admin, setup, demo };
}

/** «Демо для кофейни»: a dialog through its stages, until the user says «стоп». */
export function coffeeShop(now: Date, locale: Locale): ImportedConversation {
  const t = TEXTS[locale];
  const { shop, admin, setup, demo } = castIn(t);
  const end = now.getTime();
  const about = {
    id: ID,
    title: t.title,
    channel: "telegram",
    user: "tg-40217",
    agent: admin.id,
    locale,
    instruction: admin.instructions,
  };
  const story = new Story(about, end - 52 * MINUTE);
  const directed = (message: string, stage: string | null, shop: JsonObject | null, tell: (it: DialogTurn) => void) =>
    story
      .user(message)
      .turn((turn) => tell(new DialogTurn(turn, { message, chat_id: ID, stage, extracted_info: shop }, locale)), {
        directed: true,
      });

  directed(t.asksPrice, null, null, (it) => {
    it.keepStage("admin").ask("handle_admin", admin).turn.think(1_180, [640, 52]);
    it.heard(admin, t.price).end();
  });
  story.later(MINUTE);
  directed(t.asksToSee, "admin", null, (it) => {
    it.ask("handle_admin", admin)
      .turn.think(940, [712, 24], [{ _tool: "SwitchToDemo", _id: "switch", _outputPath: "†state.switched" }])
      .play({ switch: { ms: 12, output: { switched: true } } });
    it.heard(admin, "", ["SwitchToDemo"]).keepStage("demo_setup").ask("handle_demo", setup).turn.think(870, [388, 31]);
    it.heard(setup, t.asksNiche).end();
  });
  story.later(40 * SECOND);
  directed(t.shopTold, "demo_setup", null, (it) => {
    it.ask("handle_demo_setup", setup).turn.think(1_310, [455, 118]);
    it.heard(setup, `${t.prefix}${t.welcome}`).keepConfiguration(shop).keepStage("demo").end();
  });
  story.later(MINUTE);
  directed(t.asksMilk, "demo", shop, (it) => {
    it.ask("handle_demo", demo).turn.think(1_020, [530, 44]);
    it.heard(demo, `${t.prefix}${t.milk}`).end();
  });
  story.later(2 * MINUTE);
  directed(t.asksPerson, "demo", shop, (it) => {
    const alert = t.alert;
    it.ask("handle_demo", demo)
      .turn.think(
        910,
        [602, 47],
        [{ _tool: "CallManager", _id: "call", text: alert, reason: t.reason, _outputPath: "†state.called" }],
      )
      .play({ call: { ms: 15, output: { called: true } } })
      .alert(alert, t.reason)
      .say(t.called)
      .finish("escalated");
  });
  story
    .later(4 * MINUTE)
    .takenOver(t.manager)
    .later(50 * SECOND)
    .operator(t.manager, t.discount)
    .later(MINUTE)
    .handedBack(t.manager)
    .later(3 * MINUTE);
  directed(t.stop, "demo", shop, (it) => {
    it.keepStage("admin").ask("handle_admin", admin).turn.think(830, [690, 36]);
    it.heard(admin, t.ended).end();
  });
  return story.recordedUntil(end);
}
