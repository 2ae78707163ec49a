import type { Line, Scenario } from "../script.ts";

const EXAMPLES: Line = { each: "examples", title: "\nYou can say, for example:\n", line: "- {it}" };
const EXAMPLES_RU: Line = { each: "examples", title: "\nМожно сказать, например:\n", line: "- {it}" };

const WHAT_I_AM = {
  en: "I am the scripted model that Obelus ships for trying it out: I follow written scenarios and understand nothing else.",
  ru: "Я — модель по сценариям, которая поставляется с Obelus для знакомства: я следую записанным сценариям и ничего другого не понимаю.",
} as const;
const REAL_MODEL = {
  en: "\nFor a real model, set `OBELUS_MODEL` and `OBELUS_MODEL_API_KEY` (for another provider than OpenAI `OBELUS_MODEL_BASE_URL`, too), then start Obelus again.",
  ru: "\nЧтобы отвечала настоящая модель, задайте `OBELUS_MODEL` и `OBELUS_MODEL_API_KEY` (для провайдера, отличного от OpenAI, ещё и `OBELUS_MODEL_BASE_URL`) и перезапустите Obelus.",
} as const;

const help: Scenario = {
  name: "tell what it can do",
  phrases: {
    en: [
      "^[please] help [me]$",
      "what (can|do) you (do|know|understand)",
      "what can (i|we) (ask|say|do)",
      "(who|what) are you$",
      "how (can|do) you help",
    ],
    ru: [
      "^(помощь|помоги|помогите|справка|команды) [мне]$",
      "что [ты] [вообще] (умеешь|можешь|знаешь|умеете|можете)",
      "чем [ты] (можешь|можете) помочь",
      "(о чём|о чем|что) [тебя] можно (спросить|попросить|сказать)",
      "^[а] (ты кто|кто ты|кто вы)",
    ],
  },
  say: { en: [WHAT_I_AM.en, EXAMPLES, REAL_MODEL.en], ru: [WHAT_I_AM.ru, EXAMPLES_RU, REAL_MODEL.ru] },
};

const thanks: Scenario = {
  name: "take thanks",
  phrases: {
    en: ["(thanks|thank you|thx|cheers)", "^(great|ok|okay|good|perfect|fine|nice)$"],
    ru: ["(спасибо|благодар*)", "^(отлично|хорошо|ок|окей|понятно|ясно|супер|класс|ладно)$"],
  },
  say: { en: ["You are welcome."], ru: ["Пожалуйста."] },
};

const greet: Scenario = {
  name: "greet",
  phrases: {
    en: ["^(hi|hello|hey|good (morning|afternoon|evening|day)|greetings)"],
    ru: ["^(привет*|здравствуй*|добрый (день|вечер)|доброе утро|доброго дня|хай|салют)"],
  },
  say: {
    en: ["Hello! I am the scripted model of Obelus, here for you to try it out.", EXAMPLES],
    ru: ["Здравствуйте! Я — модель по сценариям из поставки Obelus, для знакомства с ним.", EXAMPLES_RU],
  },
};

const unknown: Scenario = {
  name: "say that it cannot",
  say: {
    en: ["I cannot answer that.", WHAT_I_AM.en, EXAMPLES, REAL_MODEL.en],
    ru: ["На это я ответить не могу.", WHAT_I_AM.ru, EXAMPLES_RU, REAL_MODEL.ru],
  },
};

/** Replies without an action. The last one matches everything. */
export const SMALL_TALK: readonly Scenario[] = [help, thanks, greet, unknown];
