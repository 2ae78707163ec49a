/** Phrases shared by several scenarios, each one group of the notation (`compilePhrase`). */
export const SHOW = {
  en: "(show|open|find|get|see|view|display|check|look at|look up|tell [me] about|what about|what is|what's|how about|how is|info on|info about|information on|information about|details of|details on|status of)",
  ru: "(покаж*|показ*|откро*|открыть|найд*|найти|вывед*|расскаж*|посмотр*|глян*|провер*|дай|что|как|какая|какой|какие|инфо|информаци*|подробн*|детал*|статус*)",
} as const;

export const CHANGE = {
  en: "(change|set|update|edit|make|put|correct|fix)",
  ru: "(измен*|поменя*|меняй|менять|смен*|установ*|постав*|обнов*|сделай|сделать|исправ*|зада*|пропиш*|укаж*)",
} as const;

/** Words between the verb and its object. */
export const ABOUT = { ru: "[мне] [там] [(по|о|об|про|со|с|насчёт|насчет|у|в|на|за)] [(эту|этой|наш*)]" } as const;

/** A request to demonstrate an agent for a business. */
export const DEMO = {
  en: "(demo|demos|demonstration|demonstrations|example|presentation)",
  ru: "(демо|демонстраци*|демоверси*|демо-верси*|демо-режим*|демку|пример*|презентаци*)",
} as const;

/** An optional business name in quotes. */
export const NAMED = ' [(«|"|“|„){company:title}(»|"|”|“)]';
