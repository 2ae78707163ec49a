import type { InBoth, Scenario, ScriptedCall } from "../script.ts";
import { KNOWN_BUSINESSES } from "./businesses.ts";
import { ADMINISTRATOR, PRICE } from "./studio.ts";
import { DEMO, NAMED } from "./words.ts";

const STOP: InBoth<readonly string[]> = { en: ["(/stop|stop)"], ru: ["(/стоп|стоп|/stop|stop)"] };

const stopAfterDemo: Scenario = {
  name: "admin: end the demonstration",
  agent: ADMINISTRATOR,
  after: { en: /^\[Demonstration\]/, ru: /^\[Демонстрация\]/ },
  phrases: STOP,
  say: {
    en: [
      "The demonstration is over, and I am the studio's administrator again. How did you like it? I can tell you about prices and terms, show a demo for another business, or call a manager.",
    ],
    ru: [
      "Демонстрация окончена, с вами снова администратор студии. Как вам? Могу рассказать о ценах и сроках, показать демо для другого бизнеса или позвать менеджера.",
    ],
  },
};

const stop: Scenario = {
  name: "admin: stop",
  agent: ADMINISTRATOR,
  phrases: STOP,
  say: {
    en: ["All right. You are talking to the studio's administrator: ask me about assistants, prices and terms."],
    ru: ["Хорошо. С вами администратор студии: спрашивайте об ассистентах, ценах и сроках."],
  },
};

const aboutDemo: Scenario = {
  name: "admin: tell what the demonstration is",
  agent: ADMINISTRATOR,
  phrases: {
    en: [
      `what is [(a|the|this|your)] ${DEMO.en}`,
      `how (does|do) [(a|the|your)] ${DEMO.en}`,
      `${PRICE.en} [(of|for|is|does)] [(a|the)] ${DEMO.en}`,
    ],
    ru: [
      `(что такое|что за|зачем) ${DEMO.ru}`,
      `как (проходит|работает|устроена|устроено) ${DEMO.ru}`,
      `${PRICE.ru} ${DEMO.ru}`,
    ],
  },
  say: {
    en: [
      "In a demonstration I speak as an employee of your own kind of business, so that you see how customers would be answered. It costs nothing. Say, for example, “show a demo for a dental clinic”; “stop” brings me back.",
    ],
    ru: [
      "В демонстрации я говорю как сотрудник вашего бизнеса, чтобы вы увидели, как ассистент будет отвечать клиентам. Это бесплатно. Напишите, например, «покажите демо для стоматологии», а чтобы вернуться ко мне — «стоп».",
    ],
  },
};

const pleased: Scenario = {
  name: "admin: take praise",
  agent: ADMINISTRATOR,
  phrases: {
    en: ["(liked it|like it|loved it|it was (good|great|nice|fine)|(impressive|awesome|cool|interesting))"],
    ru: ["(понравил*|впечатл*|здорово|круто|классно|интересно|неплохо)"],
  },
  say: {
    en: [
      "Good to hear! I can tell you about prices and terms, or call a manager, who will talk over your project with you.",
    ],
    ru: ["Приятно слышать! Могу рассказать о ценах и сроках или позвать менеджера: он обсудит с вами проект."],
  },
};

const SWITCHED: Scenario["say"] = { en: ["The demonstration begins."], ru: ["Начинаем демонстрацию."] };
const WISH_FOR_DEMO: InBoth<string> = { en: "begin the demonstration", ru: "начать демонстрацию" };
const switchTo = (params: ScriptedCall["params"]): Scenario["steps"] => [[{ tool: "SwitchToDemo", params }]];

const ASKING: InBoth<string> = {
  en: "(show|see|try|start|begin|run|give|want|need|like|launch|switch to|go to|open|have|get|let's|do|continue|may i|can i|go back to)",
  ru: "(покаж*|показ*|посмотр*|увидеть|попроб*|хочу|хотел* бы|хотим|давай*|запуст*|включ*|начн*|начать|переключ*|перейд*|перейти|продолж*|можно|сделай*|устро*|провед*|нужн*|интерес*|вернуться в|вернёмся в|вернемся в)",
};
const BETWEEN: InBoth<string> = {
  en: "[(me|us|to)] [(see|try|have|show)] [(me|to|us)] [(a|an|the|your|some)]",
  ru: "[(мне|нам|меня|нас|бы|ли)] [(посмотреть|увидеть|попробовать|показать|включить|начать|запустить|на|в|к|ваш*|эт*)]",
};

const demoForAnother: Scenario = {
  name: "admin: switch to a demonstration of the business that is named",
  agent: ADMINISTRATOR,
  phrases: {
    en: [
      `${ASKING.en} ${BETWEEN.en} ${DEMO.en} (for|of|with|about) {other:words}`,
      `${DEMO.en} (for|of|with|about) {other:words}`,
      `(another|other|different|new|one more) (${DEMO.en}|business* ${DEMO.en})`,
      `(show|see|try) [(me|us)] [(it|this)] (for|on|with|in) (another|a different|my|our|a|an) {other:words}`,
      `(show|see) [(me|us)] how (it|this|you|an assistant|the assistant) (works|work|would work|would answer|answers) (for|in|at) {other:words}`,
    ],
    ru: [
      `${ASKING.ru} ${BETWEEN.ru} ${DEMO.ru} (для|про|на примере|по) {other:words}`,
      `${DEMO.ru} (для|про|на примере|по) {other:words}`,
      `(друг*|нов*|ещё одн*|еще одн*) ${DEMO.ru}`,
      "(покаж*|показ*|посмотр*|давай*) [(мне|нам)] (для|на примере|про) {other:words}",
      "(покаж*|показ*|посмотр*) [(мне|нам)] как [(он|она|это|вы|ты|бот|ассистент)] (работает|работал*|отвеча*|общает*|будет работать|будет отвечать) [бы] (для|в|у|на) {other:words}",
    ],
  },
  example: { en: "show a demo for a flower shop", ru: "покажите демо для цветочного магазина" },
  wish: WISH_FOR_DEMO,
  steps: switchTo({ another_business: true }),
  say: SWITCHED,
};

const demoForOwn: Scenario = {
  name: "admin: switch to a demonstration of the user's own business",
  agent: ADMINISTRATOR,
  phrases: {
    en: [
      `(i|we) (run|own|have|manage|operate|opened) {niche:business}${NAMED}`,
      `(my|our) business is {niche:business}${NAMED}`,
      `(i'm|i am|we're|we are) {niche:business}${NAMED}`,
    ],
    ru: [
      `(у меня|у нас) {niche:business}${NAMED}`,
      `(владею|владеем|открываю|открываем|держу|держим|руковожу|занимаюсь|занимаемся) {niche:business}${NAMED}`,
      `(мой бизнес|наш бизнес)(:| —| –| -|) {niche:business}${NAMED}`,
    ],
  },
  lookups: { business: { by: "niche", in: KNOWN_BUSINESSES } },
  wish: WISH_FOR_DEMO,
  steps: switchTo({ another_business: true }),
  say: SWITCHED,
};

const demo: Scenario = {
  name: "admin: switch to the demonstration",
  agent: ADMINISTRATOR,
  phrases: {
    en: [
      `${ASKING.en} ${BETWEEN.en} ${DEMO.en}`,
      `^[(the|a)] ${DEMO.en}$`,
      "(see|show) [(me|us)] (it|you) (at work|in action|working)",
    ],
    ru: [
      `${ASKING.ru} ${BETWEEN.ru} ${DEMO.ru}`,
      `^${DEMO.ru}$`,
      "(покаж*|посмотр*|увидеть) [(мне|нам)] [(это|его|ассистента|бота)] (в деле|в работе|на деле)",
    ],
  },
  wish: WISH_FOR_DEMO,
  steps: switchTo({}),
  say: SWITCHED,
};

/** How the administrator hands over to the demonstration, and describes it (D5). */
export const DEMO_SWITCH: readonly Scenario[] = [
  stopAfterDemo,
  stop,
  aboutDemo,
  pleased,
  demoForAnother,
  demoForOwn,
  demo,
];
