import type { Texts } from "../texts.ts";
import { type Example, inEachLanguage, object, TEXT, tool } from "./example.ts";

const TEXTS = {
  en: {
    toRita: {
      language: "pt",
      text: "Dear Rita, the kiln you ordered leaves our yard on Monday and reaches Lisbon within nine days.",
      translated:
        "Cara Rita, o forno que encomendou sai do nosso armazém na segunda-feira e chega a Lisboa em nove dias.",
    },
    fromKyoto: {
      language: "en",
      text: "先日の釉薬の見本、ありがとうございました。来月、六缶を追加で注文したいと思います。",
      translated:
        "Thank you for the glaze samples you sent the other day. We would like to order six more cans next month.",
    },
    title: "A letter to Lisbon, a letter from Kyoto",
    agent: "letters-assistant",
    question:
      "Please put my letter to Rita into Portuguese, and the one from Kyoto into English for sales. Drafts only, I send them myself.",
    answer:
      "Both drafts are ready: the letter to **Rita** is in Portuguese, and for **sales** the one from Kyoto is in English; they ask for six more cans of glaze next month.",
    translate: "Translates the text of the state",
    draft: "Keeps a draft in the outbox",
  },
  ru: {
    toRita: {
      language: "pt",
      text: "Дорогая Рита, заказанная вами печь уезжает с нашего склада в понедельник и будет в Лиссабоне через девять дней.",
      translated:
        "Cara Rita, o forno que encomendou sai do nosso armazém na segunda-feira e chega a Lisboa em nove dias.",
    },
    fromKyoto: {
      language: "ru",
      text: "先日の釉薬の見本、ありがとうございました。来月、六缶を追加で注文したいと思います。",
      translated:
        "Спасибо за образцы глазури, которые вы прислали на днях. В следующем месяце хотим заказать ещё шесть банок.",
    },
    title: "Письмо в Лиссабон, письмо из Киото",
    agent: "Ассистент переписки",
    question:
      "Переведи моё письмо Рите на португальский, а письмо из Киото на русский для отдела продаж. Только черновики, отправлю сама.",
    answer:
      "Оба черновика готовы: письмо **Рите** на португальском, а для **отдела продаж** письмо из Киото на русском; они просят ещё шесть банок глазури в следующем месяце.",
    translate: "Переводит текст из состояния",
    draft: "Сохраняет черновик в исходящих",
  },
} satisfies Texts;

const TRANSLATION = object({ text: TEXT, language: TEXT });

/** The text of each instance and its translation; they differ by language. */
const LETTERS = [
  { instance: "①", letter: "toRita", to: "rita.moura@azulejo.example", ms: 2_350, tokens: [402, 61] },
  { instance: "②", letter: "fromKyoto", to: "sales@kilnworks.example", ms: 3_120, tokens: [431, 48] },
] as const;

/** A delegate with an isolated context: one call in two instances, each of which passes only its own state. */
export const translatorInstances = inEachLanguage(
  TEXTS,
  (t): Example => ({
    id: "demo-example-translator",
    title: t.title,
    channel: "web",
    user: "nadia.weiss",
    agent: t.agent,
    question: t.question,
    answer: t.answer,
    context: [
      // Not in scope: a translator does not need a customer's debts.
      { type: "data", kind: "ledger", data: { "rita.moura@azulejo.example": { owes: 1_870, currency: "EUR" } } },
      ...LETTERS.map(({ instance, letter }) => ({ type: "state", _instance: instance, text: t[letter].text })),
      ...LETTERS.map(({ instance, letter, to }) => ({
        ...{ type: "input", _instance: instance, to, language: t[letter].language },
      })),
    ],
    tools: [
      tool("translate", t.translate, { language: TEXT, _output: TRANSLATION }),
      tool("mail.draft", t.draft, { to: TEXT, body: TEXT, _output: object({ draft_id: TEXT }) }),
    ],
    plan: [
      {
        _tool: "translate",
        _id: "translate",
        language: "†input.language",
        _delegate: "translator",
        _scopes: ["state"],
        _outputPath: "†state.translation",
      },
      {
        _tool: "mail.draft",
        _id: "draft",
        to: "†input.to",
        body: "†state.translation.text",
        _outputPath: "†state.draft",
      },
    ],
    output_schema: null,
    outside: {
      "mail.draft": {
        idempotent: false,
        react: ({ to }) => ({ ms: 260, output: { draft_id: to === LETTERS[0].to ? "d-411" : "d-412" } }),
      },
    },
    said: LETTERS.map(({ letter, ms, tokens: [input_tokens, output_tokens] }) => ({
      to: t[letter].text,
      ms,
      input_tokens,
      output_tokens,
      answer: { calls: [], output: { text: t[letter].translated, language: t[letter].language } },
    })),
  }),
);
