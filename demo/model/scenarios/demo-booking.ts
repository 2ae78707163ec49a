import type { InBoth, Scenario } from "../script.ts";
import { ASKED_NAME, ASKED_WHAT, ASKED_WHEN, OFFERED } from "./dealings.ts";
import { BUSINESS, CHOSEN, EMPLOYEE, NAMED, SERVICE } from "./demo-employee.ts";

const YES = {
  en: "^(yes|yeah|yep|sure|ok|okay|please|please do|of course|let's|go on|go ahead)",
  ru: "^(да|ага|угу|конечно|давай*|хочу|хорошо|ок|окей|записыва*|запишите|оформля*|бронируй*|разумеется)",
} as const;

const WANT: InBoth<string> = {
  en: "(i'd like|i would like|i want|i need|can i|could i|may i|let me|please|book|reserve|order|make|sign me up|put me down)",
  ru: "(хочу|хотел* бы|хотелось бы|можно|мне нужно|мне нужен|мне нужна|нужно|нужен|нужна|давайте|запиш*|запис*|заказ*|закаж*|заброниру*|брон*|оформ*)",
};
const BOOK: InBoth<string> = {
  en: "(book|booking|reserve|reservation|appointment|order|sign up|schedule)",
  ru: "(запис*|запиш*|заказ*|закаж*|заброниров*|заброниру*|брон*|оформи*|заявк*)",
};

const bookAtOnce: Scenario = {
  ...EMPLOYEE,
  name: "demo: take a booking with its time",
  phrases: {
    en: [`${WANT.en} {service:words} {when:moment}$`],
    ru: [`${WANT.ru} {service:words} {when:moment}$`],
  },
  lookups: CHOSEN,
  say: {
    en: ["{business.noting}: **{chosen.name}**, {when|inner}. What name shall I put down?"],
    ru: ["{business.noting}: **{chosen.name}**, {when|inner}. На чьё имя?"],
  },
};

const bookService: Scenario = {
  ...EMPLOYEE,
  name: "demo: take a booking of what is named",
  phrases: {
    en: [`(${WANT.en}|${BOOK.en})`],
    ru: [`(${WANT.ru}|${BOOK.ru})`],
  },
  lookups: CHOSEN,
  say: {
    en: ["{business.noting}: **{chosen.name}**. {business.ask_when}"],
    ru: ["{business.noting}: **{chosen.name}**. {business.ask_when}"],
  },
};

const book: Scenario = {
  ...EMPLOYEE,
  name: "demo: begin a booking",
  phrases: { en: [BOOK.en], ru: [BOOK.ru] },
  example: { en: "I would like to book", ru: "хочу записаться" },
  lookups: BUSINESS,
  say: { en: ["{business.ask_what}", "", SERVICE], ru: ["{business.ask_what}", "", SERVICE] },
};

const agreed: Scenario = {
  ...EMPLOYEE,
  name: "demo: go on with what was offered",
  after: OFFERED,
  phrases: { en: [YES.en], ru: [YES.ru] },
  lookups: NAMED,
  say: bookService.say,
};

const agreedToAny: Scenario = {
  ...EMPLOYEE,
  name: "demo: ask again what it is to be",
  after: ASKED_WHAT,
  phrases: { en: [`${YES.en}$`], ru: [`${YES.ru}$`] },
  lookups: BUSINESS,
  say: book.say,
};

const tellWhat: Scenario = {
  ...EMPLOYEE,
  name: "demo: take what it is to be",
  after: ASKED_WHAT,
  phrases: {
    en: ["^[(the|a|an|for|let it be|i'd like|i want|i need)] [(the|a|an)] {service:answer}$"],
    ru: ["^[(давайте|хочу|мне|пожалуйста|можно|запишите|нужна|нужен|нужно)] [(на|меня на)] {service:answer}$"],
  },
  lookups: NAMED,
  say: bookService.say,
};

const tellWhen: Scenario = {
  ...EMPLOYEE,
  name: "demo: take the time",
  after: ASKED_WHEN,
  phrases: {
    en: ["^[(let's say|say|maybe|let it be|i'd like)] {when:answer}$"],
    ru: ["^[(давайте|пусть|можно|лучше|хочу|наверное|хотелось бы)] {when:answer}$"],
  },
  lookups: BUSINESS,
  say: {
    en: ["{business.noting}: **{service}**, {when|inner}. What name shall I put down?"],
    ru: ["{business.noting}: **{service}**, {when|inner}. На чьё имя?"],
  },
};

const tellName: Scenario = {
  ...EMPLOYEE,
  name: "demo: take the name",
  after: ASKED_NAME,
  phrases: {
    en: ["^[(my name is|i am|i'm|it's|this is|for|name)] {name:answer}$"],
    ru: ["^[(меня зовут|зовут|моё имя|мое имя|имя|я|на имя|это|на)] {name:answer}$"],
  },
  lookups: BUSINESS,
  say: {
    en: [
      "Thank you, {name|capital}: {business.done}. **{service}**, {when}, “{company}”.",
      "",
      "This is a demonstration, so {business.unreal}. Ask me something else, or write “stop” to go back to the administrator.",
    ],
    ru: [
      "Спасибо, {name|capital}! Готово: {business.done}. **{service}**, {when}, «{company}».",
      "",
      "Это демонстрация, поэтому {business.unreal}. Спросите о чём-нибудь ещё или напишите «стоп», чтобы вернуться к администратору.",
    ],
  },
};

const changeOfMind: Scenario = {
  ...EMPLOYEE,
  name: "demo: cancel",
  phrases: {
    en: [
      "(cancel*|changed my mind|never mind|nevermind|no thanks|no thank you|don't need|don't want|reschedul*)",
      "^(no|nope)$",
    ],
    ru: ["(отмен*|передумал*|не надо|не нужно|не хочу|перенес*)", "^(нет|неа)$"],
  },
  lookups: BUSINESS,
  say: {
    en: ["All right, nothing is booked. If you need anything, just write."],
    ru: ["Хорошо, ничего не оформляю. Если что-то понадобится, напишите."],
  },
};

/** An appointment, an order or a reservation, one question at a time: the previous message determines the step. */
export const DEMO_BOOKING: readonly Scenario[] = [
  changeOfMind,
  agreed,
  agreedToAny,
  tellName,
  bookAtOnce,
  tellWhen,
  bookService,
  book,
  tellWhat,
];
