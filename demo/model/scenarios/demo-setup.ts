import type { JsonObject } from "../../../lib/session/json/json.ts";
import type { InBoth, Scenario } from "../script.ts";
import { BUSINESSES, DEFAULT_BUSINESS, KNOWN_BUSINESSES } from "./businesses.ts";
import { DEMO, NAMED } from "./words.ts";

/** The lines of `agents/demo_setup.json`. */
const AGENT = /prepare demonstrations/;

const ASKED: InBoth<RegExp> = {
  en: /What kind of business/,
  ru: /Для какого бизнеса/,
};

const QUESTION: InBoth<string> = {
  en: "What kind of business shall the demonstration be for? Name it in a word or two, for example: flower shop, dental clinic, car service.",
  ru: "Для какого бизнеса показать демонстрацию? Назовите его в двух словах, например: цветочный магазин, стоматология, автосервис.",
};

/** The demonstration's configuration from the `business` and the user's name for it. */
const configuration: InBoth<JsonObject> = {
  en: {
    niche: "{business.niche}",
    company_name: "{company}",
    persona_instruction:
      "You are {business.person} at “{company}” ({business.niche}). Be friendly and to the point: tell people about services and prices, take bookings and orders, and ask one question at a time. Opening hours: {business.hours}.",
    welcome_message:
      "Hello! This is {business.person} at “{company}”[? ({business.called})]. {business.can} How can I help you?",
  },
  ru: {
    niche: "{business.niche}",
    company_name: "{company}",
    persona_instruction:
      "Твоя роль: {business.person}, «{company}» ({business.niche}). Отвечай приветливо и по делу: рассказывай об услугах и ценах, принимай записи и заказы, задавая по одному вопросу за раз. Часы работы: {business.hours}.",
    welcome_message:
      "Здравствуйте! Это «{company}»[? ({business.called})], на связи {business.person}. {business.can} Чем могу помочь?",
  },
};

const CONFIGURED = {
  agent: AGENT,
  values: { company: { otherwise: "business.company" } },
  say: { json: configuration },
} satisfies Partial<Scenario>;

const toldBusiness: Scenario = {
  ...CONFIGURED,
  name: "set a demonstration up for the business that is told",
  phrases: {
    en: [
      `${DEMO.en} (for|of|with|about) {niche:business}${NAMED}`,
      `(i|we) [(also)] (run|own|have|have got|manage|operate|opened|started|work at|work in|work for|am opening|are opening) {niche:business}${NAMED}`,
      `(my|our) business is {niche:business}${NAMED}`,
      `(for|about) {niche:business}${NAMED}`,
    ],
    ru: [
      `${DEMO.ru} (для|про|на примере|по|в) {niche:business}${NAMED}`,
      `(у меня|у нас) {niche:business}${NAMED}`,
      `(владею|владеем|открываю|открываем|открыл*|держу|держим|руковожу|управляю|занимаюсь|занимаемся|развиваю|запускаю|работаю в|работаем в) {niche:business}${NAMED}`,
      `(мой бизнес|наш бизнес|моя компания|наша компания|моя ниша|наша ниша|ниша|сфера)(:| —| –| -|) {niche:business}${NAMED}`,
      `(для|про|на примере) {niche:business}${NAMED}`,
    ],
  },
  lookups: { business: { by: "niche", in: BUSINESSES } },
};

const knownBusiness: Scenario = {
  ...CONFIGURED,
  name: "set a demonstration up for a business that it knows",
  lookups: { business: { by: "message", in: KNOWN_BUSINESSES } },
};

const anyBusiness: Scenario = {
  ...CONFIGURED,
  name: "set a demonstration up for any business",
  after: ASKED,
  phrases: {
    en: ["(any|anything|whatever|surprise me|you choose|your choice|don't know|not sure|no idea|doesn't matter)"],
    ru: [
      "(люб*|всё равно|все равно|не знаю|неважно|не важно|что угодно|какой угодно|на ваш выбор|на твой выбор|сами выберите|выберите сами|на ваше усмотрение)",
    ],
  },
  lookups: { business: { by: "message", in: DEFAULT_BUSINESS } },
};

const namedBusiness: Scenario = {
  ...CONFIGURED,
  name: "set a demonstration up for the business that was asked for",
  after: ASKED,
  phrases: {
    en: [`^[(it's|it is|this is|let it be|make it|i am|i'm|we are|we're|say)] {niche:business}${NAMED}`],
    ru: [`^[(это|пусть будет|давайте|допустим|например|мы|я)] {niche:business}${NAMED}`],
  },
  lookups: { business: { by: "niche", in: BUSINESSES } },
};

const ask: Scenario = {
  name: "ask for the kind of business",
  agent: AGENT,
  say: { json: { en: { question: QUESTION.en }, ru: { question: QUESTION.ru } } },
};

/** The setup of a demonstration (D4): it answers only with JSON, so its last scenario matches everything. */
export const DEMO_SETUP: readonly Scenario[] = [toldBusiness, anyBusiness, namedBusiness, knownBusiness, ask];
