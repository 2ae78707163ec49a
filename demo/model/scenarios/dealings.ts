import type { InBoth } from "../script.ts";

/** How a business serves its customers. */
export type Dealing = "visit" | "order" | "booking" | "request";

/** Its description of that. */
interface DealingWords extends Record<string, string> {
  /** The offer in its greeting. */
  can: string;
  ask_what: string;
  ask_when: string;
  /** Asks whether to continue. */
  offer: string;
  /** Before the choice. */
  noting: string;
  done: string;
  /** A note that it was not real. */
  unreal: string;
  delivery: string;
}

const DAY_AND_TIME = { en: "Tell me the day and the time.", ru: "Назовите день и время." } as const;
const ON_SITE = {
  en: "We do not deliver: everything is done at our place.",
  ru: "Доставки у нас нет: всё делаем на месте.",
} as const;

export const DEALINGS: Record<Dealing, InBoth<DealingWords>> = {
  visit: {
    en: {
      can: "I can tell you about our services and prices, or book you in.",
      ask_what: "What shall I book for you?",
      ask_when: `When would it suit you? ${DAY_AND_TIME.en}`,
      offer: "Shall I book you in?",
      noting: "Booking",
      done: "you are booked in",
      unreal: "no real appointment was made",
      delivery: ON_SITE.en,
    },
    ru: {
      can: "Расскажу об услугах и ценах и запишу вас на удобное время.",
      ask_what: "На что вас записать?",
      ask_when: `Когда вам удобно? ${DAY_AND_TIME.ru}`,
      offer: "Записать вас?",
      noting: "Записываю",
      done: "вы записаны",
      unreal: "настоящей записи не появилось",
      delivery: ON_SITE.ru,
    },
  },
  order: {
    en: {
      can: "I can tell you what we have and what it costs, or take your order.",
      ask_what: "What would you like to order?",
      ask_when: `When do you need it? ${DAY_AND_TIME.en}`,
      offer: "Shall I take the order?",
      noting: "Your order",
      done: "the order is taken",
      unreal: "no real order was made",
      delivery: "We deliver in town for ₽400, and free of charge from ₽4,000. You can also pick the order up yourself.",
    },
    ru: {
      can: "Расскажу, что у нас есть и сколько стоит, и приму заказ.",
      ask_what: "Что вы хотите заказать?",
      ask_when: `К какому времени? ${DAY_AND_TIME.ru}`,
      offer: "Оформить заказ?",
      noting: "Оформляю заказ",
      done: "заказ принят",
      unreal: "настоящего заказа не появилось",
      delivery: "Доставляем по городу за 400 ₽, от 4 000 ₽ — бесплатно. Можно забрать заказ и самим.",
    },
  },
  booking: {
    en: {
      can: "I can tell you about our prices, or make a reservation.",
      ask_what: "What shall I reserve for you?",
      ask_when: `For when? ${DAY_AND_TIME.en}`,
      offer: "Shall I make a reservation?",
      noting: "Reserving",
      done: "the reservation is made",
      unreal: "no real reservation was made",
      delivery: ON_SITE.en,
    },
    ru: {
      can: "Расскажу о ценах и оформлю бронь.",
      ask_what: "Что для вас забронировать?",
      ask_when: `На когда? ${DAY_AND_TIME.ru}`,
      offer: "Забронировать?",
      noting: "Бронирую",
      done: "бронь оформлена",
      unreal: "настоящей брони не появилось",
      delivery: ON_SITE.ru,
    },
  },
  request: {
    en: {
      can: "I can tell you about our prices, or take your request.",
      ask_what: "What do you need?",
      ask_when: `When would it suit you? ${DAY_AND_TIME.en}`,
      offer: "Shall I take your request?",
      noting: "Your request",
      done: "your request is taken",
      unreal: "no real request was made",
      delivery: "Delivery depends on the order; a colleague will settle it with you.",
    },
    ru: {
      can: "Расскажу о ценах и приму заявку.",
      ask_what: "Что вам нужно?",
      ask_when: `Когда вам удобно? ${DAY_AND_TIME.ru}`,
      offer: "Оформить заявку?",
      noting: "Оформляю заявку",
      done: "заявка принята",
      unreal: "настоящей заявки не появилось",
      delivery: "Доставка зависит от заказа — её уточнит мой коллега.",
    },
  },
};

/** The question for a service. */
export const ASKED_WHAT: InBoth<RegExp> = questions("ask_what");

/** The choice and its price, with the question whether to continue. */
export const OFFERED: InBoth<RegExp> = {
  en: new RegExp(String.raw`\*\*(?<service>[^*]+)\*\* — .+\. (?:${questions("offer").en.source})`),
  ru: new RegExp(String.raw`\*\*(?<service>[^*]+)\*\* — .+\. (?:${questions("offer").ru.source})`),
};

/** The choice, with the question when. */
export const ASKED_WHEN: InBoth<RegExp> = {
  en: /\*\*(?<service>[^*]+)\*\*\. .*Tell me the day and the time\./,
  ru: /\*\*(?<service>[^*]+)\*\*\. .*Назовите день и время\./,
};

/** Choice and time, with the question for whom. */
export const ASKED_NAME: InBoth<RegExp> = {
  en: /\*\*(?<service>[^*]+)\*\*, (?<when>.+)\. What name shall I put down\?/,
  ru: /\*\*(?<service>[^*]+)\*\*, (?<when>.+)\. На чьё имя\?/,
};

function questions(name: "ask_what" | "offer"): InBoth<RegExp> {
  const sourceIn = (locale: "en" | "ru") =>
    Object.values(DEALINGS)
      .map((words) => words[locale][name].replace("?", String.raw`\?`))
      .join("|");
  return { en: new RegExp(sourceIn("en")), ru: new RegExp(sourceIn("ru")) };
}
