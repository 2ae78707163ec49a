import type { InBoth, Scenario } from "../script.ts";

/** The lines of `agents/admin.json`. The studio's services are there for a real model. */
export const ADMINISTRATOR = /administrator of the studio Otklik/;

const SERVICES = {
  en: [
    {
      said: "(telegram|messenger*)",
      name: "Assistant in Telegram",
      price: "from ₽60,000",
      time: "2 weeks",
      what: "answers questions, books customers in, calls a manager when a person is needed",
    },
    {
      said: "(crm|bitrix*|deal*|task*)",
      name: "Assistant with your CRM",
      price: "from ₽140,000",
      time: "4 weeks",
      what: "works with deals, contacts and tasks in Bitrix24; whatever is risky waits for a person to agree",
    },
    {
      said: "(site|website|web*|chat)",
      name: "Assistant on your site",
      price: "from ₽80,000",
      time: "3 weeks",
      what: "a chat for visitors, connected by the API",
    },
    {
      said: "(support|maintenance|monthly)",
      name: "Support",
      price: "₽15,000 a month",
      time: "from the launch on",
      what: "up to 10 hours of changes, and a look at the conversations every week",
    },
  ],
  ru: [
    {
      said: "(телеграм*|telegram|мессенджер*|тг)",
      name: "Ассистент в Telegram",
      price: "от 60 000 ₽",
      time: "2 недели",
      what: "отвечает на вопросы, записывает клиентов, зовёт менеджера, когда нужен человек",
    },
    {
      said: "(crm|срм|битрикс*|bitrix*|сделк*|задач*)",
      name: "Ассистент с вашей CRM",
      price: "от 140 000 ₽",
      time: "4 недели",
      what: "работает со сделками, контактами и задачами в Битрикс24; всё рискованное ждёт согласия человека",
    },
    {
      said: "(сайт*|веб*|виджет*|чат*)",
      name: "Ассистент на сайте",
      price: "от 80 000 ₽",
      time: "3 недели",
      what: "чат для посетителей, подключается по API",
    },
    {
      said: "(поддержк*|сопровожден*|обслуживан*)",
      name: "Сопровождение",
      price: "15 000 ₽ в месяц",
      time: "с момента запуска",
      what: "до 10 часов правок и еженедельный просмотр диалогов",
    },
  ],
};
/** All services in one entry, so that templates can list them. */
const OFFER = {
  offer: { by: "message", in: { en: [{ services: SERVICES.en }], ru: [{ services: SERVICES.ru }] } },
} as const;
const SERVICE = { service: { by: "message", in: SERVICES } } as const;

export const PRICE: InBoth<string> = {
  en: "(how much|price*|pricing|cost*|charge|rates|tariff*|quote)",
  ru: "(сколько [(это|будет)] стоит|сколько стоят|цен*|стоимост*|прайс*|тариф*|расценк*|почём|почем|бюджет*)",
};

const priceOfOne: Scenario = {
  name: "admin: tell one price",
  agent: ADMINISTRATOR,
  phrases: { en: [PRICE.en], ru: [PRICE.ru] },
  lookups: SERVICE,
  say: {
    en: ["**{service.name}**: {service.price}, {service.time}. It {service.what}."],
    ru: ["**{service.name}**: {service.price}, {service.time}. Что входит: {service.what}."],
  },
};

const prices: Scenario = {
  name: "admin: tell prices",
  agent: ADMINISTRATOR,
  phrases: { en: [PRICE.en], ru: [PRICE.ru, "^сколько$", "дорого"] },
  example: { en: "what are your prices?", ru: "сколько стоят ваши услуги?" },
  lookups: OFFER,
  say: {
    en: [
      "Our prices:",
      "",
      { each: "offer.services", line: "- {name}: **{price}**" },
      "",
      "A week's pilot costs ₽30,000, which counts towards the project. What the model's provider charges comes on top, at its own rates.",
    ],
    ru: [
      "Наши цены:",
      "",
      { each: "offer.services", line: "- {name}: **{price}**" },
      "",
      "Недельный пилот стоит 30 000 ₽ и засчитывается в стоимость проекта. Запросы к модели оплачиваются отдельно, по тарифам провайдера.",
    ],
  },
};

const services: Scenario = {
  name: "admin: tell services",
  agent: ADMINISTRATOR,
  phrases: {
    en: [
      "(service*|what do you (do|offer|make|sell|build)|what (is|have you) [got] on offer|your (product*|offer*|assistants))",
      "(tell me|learn) (more|about) [(about)] (you|your (company|studio|work))",
    ],
    ru: [
      "(услуг*|что [вы] (делаете|предлагаете|продаёте|продаете)|(какие|что за) (ассистент*|бот*|решени*|продукт*))",
      "расскаж* [мне] (о|об|про) [(вашей|вашу|вашем)] (себе|вас|вашей|вашу|студи*|компани*)",
    ],
  },
  example: { en: "what services do you offer?", ru: "какие у вас услуги?" },
  lookups: OFFER,
  say: {
    en: [
      "We make assistants that talk to customers and do the routine work:",
      "",
      { each: "offer.services", line: "- **{name}**: {what}" },
      "",
      "Say “what are your prices?”, or “show a demo for a flower shop” to see one at work.",
    ],
    ru: [
      "Мы делаем ассистентов, которые общаются с клиентами и берут на себя рутину:",
      "",
      { each: "offer.services", line: "- **{name}**: {what}" },
      "",
      "Спросите «сколько это стоит?» или посмотрите ассистента в деле: «покажите демо для цветочного магазина».",
    ],
  },
};

const terms: Scenario = {
  name: "admin: tell terms",
  agent: ADMINISTRATOR,
  phrases: {
    en: [
      "(terms|conditions|how long|how soon|how fast|deadline*|timeline*|time frame|turnaround|when will it be ready|contract|warrant*|guarantee*|payment*|pay|prepay*|invoice*|instal*)",
      "how do (you|we) (work|start|begin)",
    ],
    ru: [
      "(срок*|услови*|как долго|как быстро|сколько (времени|дней|недель|ждать)|когда будет готов*|договор*|гаранти*|оплат*|предоплат*|рассрочк*|платить|счёт|счет)",
      "(как вы работаете|с чего начать|как начать|этап*|как проходит)",
    ],
  },
  example: { en: "what are your terms?", ru: "какие у вас сроки и условия?" },
  lookups: OFFER,
  say: {
    en: [
      "How long it takes:",
      "",
      { each: "offer.services", line: "- {name}: {time}" },
      "",
      "We work under a contract: half in advance, half after the launch. For two weeks after it we mend everything free of charge. It begins with a call of half an hour, in which we agree on what the assistant has to do and what it must never do.",
    ],
    ru: [
      "По срокам:",
      "",
      { each: "offer.services", line: "- {name}: {time}" },
      "",
      "Работаем по договору: половина — предоплата, половина — после запуска. Ещё две недели бесплатно исправляем всё, что заметите. Начинаем с получасового созвона: договариваемся, что ассистент должен делать, а чего не должен никогда.",
    ],
  },
};

const contacts: Scenario = {
  name: "admin: tell contacts",
  agent: ADMINISTRATOR,
  phrases: {
    en: [
      "(contact*|phone|e-mail|email|mail|address|where are you|located|location|(opening|working|office|business) hours|when (are|do) you (open|work)|reach you)",
    ],
    ru: [
      "(контакт*|телефон*|почт*|e-mail|email|имейл|адрес*|где вы|находитесь|график*|(час*|режим*|время) работ*|когда [вы] работаете|как [с вами] связаться)",
    ],
  },
  example: { en: "what are your contacts?", ru: "какие у вас контакты?" },
  say: {
    en: [
      "Mail: hello@otklik.example. Phone: +7 495 000-00-00, Monday to Friday from 10 am to 7 pm, Moscow time. (The studio is made up, and so are these.) Say “call a manager”, and a person will answer right here.",
    ],
    ru: [
      "Почта: hello@otklik.example. Телефон: +7 495 000-00-00, с понедельника по пятницу с 10:00 до 19:00 по Москве. (Студия вымышлена, контакты тоже.) Напишите «позовите менеджера» — и человек ответит прямо здесь.",
    ],
  },
};

/** The studio's services and terms. */
export const STUDIO: readonly Scenario[] = [priceOfOne, prices, terms, services, contacts];
