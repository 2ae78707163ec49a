import type { InBoth, Line, Scenario } from "../script.ts";
import { DEMO_SWITCH } from "./demo-switch.ts";
import { CALL_MANAGER, MANAGER_CALLED, MANAGER_REQUEST } from "./manager.ts";
import { ADMINISTRATOR, STUDIO } from "./studio.ts";

const EXAMPLE: Line = { each: "examples", line: "- {it}" };

const who: Scenario = {
  name: "admin: tell who it is",
  agent: ADMINISTRATOR,
  phrases: {
    en: [
      "^[please] help [me]$",
      "(who|what) (are|is) (you|this)",
      "what (can|do) you (do|know|understand)",
      "what can (i|we) (ask|say|do)",
      "how can you help",
      "are you [(a|an|the)] (bot|robot|human|person|real|machine|ai)",
      "(what|which) (company|studio) (is|are)",
    ],
    ru: [
      "^(помощь|помоги|помогите|справка|команды) [мне]$",
      "(ты кто|кто ты|кто вы|вы кто|с кем я)",
      "что [(ты|вы)] [вообще] (умеешь|можешь|знаешь|умеете|можете|знаете)",
      "чем [(ты|вы)] (можешь|можете|занимаетесь) [помочь]",
      "(ты|вы) [(что|правда)] (бот|робот|человек|живой|настоящ*|нейросеть|программа|ии)",
      "(что за|что это за|какая) (компани*|студи*|фирм*)",
      "о чём [(тебя|вас)] можно спросить",
    ],
  },
  example: { en: "who are you?", ru: "кто вы?" },
  say: {
    en: [
      "I am the administrator of Otklik, a studio that makes AI assistants for businesses. I tell people about services, prices and terms, show how an assistant would work in your own business, and call a manager when a person is needed.",
      "",
      "To be honest, the studio is made up, and I am the scripted model that Obelus ships for trying it out: I follow written scenarios. You can ask, for example:",
      "",
      EXAMPLE,
    ],
    ru: [
      "Я администратор «Отклика» — студии, которая делает ИИ-ассистентов для бизнеса. Рассказываю об услугах, ценах и сроках, показываю, как ассистент работал бы именно у вас, и зову менеджера, когда нужен человек.",
      "",
      "Если честно, студия вымышлена, а я — модель по сценариям из поставки Obelus, для знакомства с ним. Спросите, например:",
      "",
      EXAMPLE,
    ],
  },
};

const greet: Scenario = {
  name: "admin: greet",
  agent: ADMINISTRATOR,
  phrases: {
    en: ["^(hi|hello|hey|good (morning|afternoon|evening|day)|greetings|/start)"],
    ru: ["^(привет*|здравствуй*|добрый (день|вечер)|доброе утро|доброго дня|хай|салют|/start)"],
  },
  say: {
    en: [
      "Hello! I am the administrator of Otklik, a studio that makes AI assistants for businesses. What would you like to know? For example:",
      "",
      EXAMPLE,
    ],
    ru: [
      "Здравствуйте! Я администратор «Отклика» — студии, которая делает ИИ-ассистентов для бизнеса. Что рассказать? Например:",
      "",
      EXAMPLE,
    ],
  },
};

const telegram: Scenario = {
  name: "admin: tell how to connect Telegram",
  agent: ADMINISTRATOR,
  phrases: {
    en: ["(telegram|botfather)"],
    ru: ["(телеграм*|telegram|тг|botfather)"],
  },
  example: { en: "how do I connect Telegram?", ru: "как подключить Telegram?" },
  say: {
    en: [
      "Four steps connect Telegram:",
      "",
      "1. Make a bot with @BotFather and copy its token.",
      "2. Put `TELEGRAM_BOT_TOKEN` and a secret of your own, `TELEGRAM_WEBHOOK_SECRET`, into `.env`, and start Obelus again.",
      "3. Let a proxy with HTTPS pass `/api/telegram/webhook` on to Obelus, and nothing else.",
      "4. Run `npm run telegram -- set-webhook https://your-address`.",
      "",
      "From then on whoever writes to the bot talks to the default agent, and you see it all in the console. `docs/telegram.md` has the details.",
    ],
    ru: [
      "Telegram подключается в четыре шага:",
      "",
      "1. Создайте бота у @BotFather и скопируйте его токен.",
      "2. Впишите `TELEGRAM_BOT_TOKEN` и свой секрет `TELEGRAM_WEBHOOK_SECRET` в файл `.env` и перезапустите Obelus.",
      "3. Настройте прокси с HTTPS, который передаёт Obelus только `/api/telegram/webhook` и ничего больше.",
      "4. Выполните `npm run telegram -- set-webhook https://ваш-адрес`.",
      "",
      "После этого боту отвечает агент по умолчанию, а все диалоги видны в консоли. Подробности — в `docs/telegram.md`.",
    ],
  },
};

const approvals: Scenario = {
  name: "admin: tell how approvals work",
  agent: ADMINISTRATOR,
  phrases: {
    en: ["(approv*|confirmation*|confirm*|human in the loop|risky|risk*|control*|safe|safely|mistake*)"],
    ru: ["(согласова*|подтвержден*|подтвержда*|одобрен*|одобря*|риск*|контрол*|безопасн*|ошиб*)"],
  },
  example: { en: "how do approvals work?", ru: "как работают согласования?" },
  say: {
    en: [
      "What only reads, an assistant does at once. What is risky (a sum, a deadline, who is responsible) it only proposes: the request stands in the console under **Approvals**, with the old value and the new. A person approves it, edits it or denies it with a reason. A denied action is not tried again unless somebody asks for it anew.",
      "",
      "Try it: begin a conversation with the agent `crm` and write “change the amount of deal 123 to 150000”.",
    ],
    ru: [
      "Читать данные ассистент может сразу. Рискованное — сумму, срок, ответственного — он только предлагает: заявка появляется в консоли, в разделе **Согласования**, со старым и новым значением. Человек подтверждает её, правит или отклоняет с причиной. Отклонённое ассистент не повторяет, пока об этом не попросят снова.",
      "",
      "Попробуйте: начните диалог с агентом `crm` и напишите «измени сумму сделки 123 на 150000».",
    ],
  },
};

const crm: Scenario = {
  name: "admin: tell who does the CRM's work",
  agent: ADMINISTRATOR,
  phrases: {
    en: [
      "(deal|deals|task|tasks) {deal:number}",
      "(show|list|change|create|add|move|assign) [(the|a|my|all|amount of|the amount of)] (deal*|task*|contact*|compan*)",
    ],
    ru: [
      "(сделк*|задач*) {deal:number}",
      "(покаж*|список|измен*|созда*|добав*|перенес*|передай*) [(все|мои|сумму|срок)] (сделк*|задач*|контакт*|компани*)",
    ],
  },
  say: {
    en: [
      "Another agent works with deals, contacts and tasks: `crm`. Begin a new conversation, choose it there, and say the same.",
    ],
    ru: [
      "Со сделками, контактами и задачами работает другой агент — `crm`. Начните новый диалог, выберите его и напишите то же самое.",
    ],
  },
};

const ORDER: InBoth<string> = {
  en: "(order*|buy|purchase|sign [(a|the)] contract|discount*|cheaper|special offer)",
  ru: "(заказа*|закаж*|купить|покупа*|оформить|оставить заявку|заключить договор|скидк*|дешевле|торг)",
};

const order: Scenario = {
  name: "admin: hand an order to a manager",
  agent: ADMINISTRATOR,
  phrases: { en: [ORDER.en], ru: [ORDER.ru] },
  texts: {
    alert: {
      en: "A customer is ready to talk about an order. The message: “{message|clipped}”",
      ru: "Клиент готов обсудить заказ. Сообщение: «{message|clipped}»",
    },
    why: { en: "an order or a discount", ru: "заказ или скидка" },
  },
  wish: MANAGER_REQUEST,
  steps: [[CALL_MANAGER]],
  say: MANAGER_CALLED,
};

const farewell: Scenario = {
  name: "admin: say goodbye",
  agent: ADMINISTRATOR,
  phrases: { en: ["(bye|goodbye|see you)"], ru: ["(до свидания|до встречи|^пока$|всего доброго|всего хорошего)"] },
  say: { en: ["Goodbye! Write any time."], ru: ["До свидания! Пишите в любое время."] },
};

/** The studio's administrator (D4): who it is, what it offers, how a demonstration starts. */
export const ADMIN: readonly Scenario[] = [
  ...DEMO_SWITCH,
  who,
  crm,
  ...STUDIO,
  telegram,
  approvals,
  order,
  farewell,
  greet,
];
