import type { InBoth, Scenario, ScriptedCall } from "../script.ts";

/** Ends the turn: the server sends the reply. */
export const CALL_MANAGER: ScriptedCall = { tool: "CallManager", params: { text: "{alert}", reason: "{why}" } };

/** Used only if the call did not end the turn. */
export const MANAGER_CALLED: Scenario["say"] = { en: ["A manager was called."], ru: ["Менеджер вызван."] };

export const MANAGER_REQUEST: InBoth<string> = { en: "call a manager", ru: "позвать менеджера" };

const WHO = {
  en: "[(a|an|the|your|some|any)] [(real|live|human|actual)] (manager*|human*|person|people|operator|representative|supervisor|someone|somebody|staff)",
  ru: "[(кого-нибудь|кому-нибудь|кто-нибудь|какого-нибудь)] [(ваш*|жив*|настоящ*|реальн*|свободн*)] (менеджер*|оператор*|человек*|людьми|живым|специалист*|консультант*|руководител*|начальник*|директор*)",
} as const;

const callManager: Scenario = {
  name: "call a manager",
  phrases: {
    en: [
      `(call|get|fetch|bring|connect|transfer|forward|put|switch|pass|invite|reach|contact|need|want|ask for) [(me|us)] [(for|in|on|over|to|with)] [(to|through|through to)] ${WHO.en}`,
      `(talk|speak|chat) (to|with) ${WHO.en}`,
      `is (there|anyone) [here] ${WHO.en}`,
      `^${WHO.en}$`,
    ],
    ru: [
      `(позов*|позва*|вызов*|вызва*|соедин*|переключ*|перевед*|приглас*|пригласи*|подключ*|дай|дайте|нужен|нужна|нужно|требую|зови*) [(мне|меня|нам|нас|сюда)] [(к|на|с|со)] ${WHO.ru}`,
      `(поговор*|говорить|связ*|пообща*|обсуд*|переговор*) [(бы|мне)] с ${WHO.ru}`,
      "(есть|здесь|тут) [(здесь|тут|кто-то|кто-нибудь|ли)] [(кто-то|кто-нибудь)] (живой|живые)",
      `^${WHO.ru}$`,
    ],
  },
  example: { en: "call a manager", ru: "позовите менеджера" },
  texts: {
    alert: {
      en: "A person is asked for. The message: “{message|clipped}”",
      ru: "Просят подключить человека. Сообщение: «{message|clipped}»",
    },
    why: { en: "the user asked for a person", ru: "пользователь попросил человека" },
  },
  wish: MANAGER_REQUEST,
  steps: [[CALL_MANAGER]],
  say: MANAGER_CALLED,
};

/** For every agent with the tool (D9). */
export const MANAGER: readonly Scenario[] = [callManager];
