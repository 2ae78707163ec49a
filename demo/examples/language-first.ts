import type { Texts } from "../texts.ts";
import { type Example, inEachLanguage, list, object, TEXT, tool } from "./example.ts";

const TEXTS = {
  en: {
    title: "A letter in an unknown language",
    user: "Marina Kim",
    agent: "Support assistant",
    question:
      "A letter came for ticket 4471, and I cannot even tell the language. Translate it and attach it to the ticket",
    answer:
      "It is Portuguese. The customer writes that parcel 2291 arrived open and two screws are missing; they ask for them by Saturday. I attached the translation to ticket 4471 and assigned it to the Portuguese group.",
    detect: "Detects the language of a text: clues first, then doubts, then the answer",
    clues: "Words and marks that show the language",
    translate: "Translates: difficult phrases first, then the text",
    into: "en",
    assign: "Assigns a ticket to the group that knows the language",
    note: "Attaches a note to a ticket",
    reasoning: "The language is known, so it can be translated.",
    group: "Portuguese",
    words: '"encomenda", "parafusos", "obrigado"',
    pronoun: '"enviá-los": the pronoun follows the verb',
    marks: '"até", "sábado"',
    againstSpanish: 'it would be "tornillos", "hasta", "gracias"',
    againstGalician: 'it would be "parafusos", but "ata" and "grazas"',
    meaning: '"Can you send them", the screws',
    translated:
      "Good morning! Parcel 2291 arrived with its box open, and two screws are missing. Can you send them by Saturday? Thank you.",
  },
  ru: {
    title: "Письмо на незнакомом языке",
    user: "Марина Ким",
    agent: "Ассистент поддержки",
    question: "Пришло письмо по заявке 4471, не пойму даже, на каком языке. Переведи и приложи к заявке",
    answer:
      "Это португальский. Клиент пишет, что посылка 2291 пришла вскрытой и в ней не хватает двух винтов; просит прислать их до субботы. Перевод приложила к заявке 4471 и передала её португальской группе.",
    detect: "Определить язык текста: сначала приметы, потом сомнения, потом ответ",
    clues: "Слова и знаки, по которым виден язык",
    translate: "Перевести: сначала трудные места, потом текст",
    into: "ru",
    assign: "Передать заявку группе, которая знает язык",
    note: "Приложить заметку к заявке",
    reasoning: "Язык известен, можно переводить.",
    group: "Португальский",
    words: "«encomenda», «parafusos», «obrigado»",
    pronoun: "«enviá-los»: местоимение после глагола",
    marks: "«até», «sábado»",
    againstSpanish: "было бы «tornillos», «hasta», «gracias»",
    againstGalician: "было бы «parafusos», но «ata» и «grazas»",
    meaning: "«Сможете прислать их», о винтах",
    translated:
      "Добрый день! Посылка 2291 пришла с открытой коробкой, и не хватает двух винтов. Сможете прислать их до субботы? Спасибо.",
  },
} satisfies Texts;

const CODE = { ...TEXT, enum: ["pt", "es", "gl", "it", "fr", "ro", "en"] };

/**
 * Schema-guided reasoning: the model determines the language, and the schema of the result makes it collect evidence
 * and counter-evidence first. Then the text is translated.
 */
export const languageFirst = inEachLanguage(
  TEXTS,
  (t): Example => ({
    id: "demo-example-language-first",
    title: t.title,
    channel: "telegram",
    user: t.user,
    agent: t.agent,
    question: t.question,
    answer: t.answer,
    context: [
      {
        type: "input",
        ticket: 4471,
        text: "Bom dia! A encomenda 2291 chegou com a caixa aberta e faltam dois parafusos. Conseguem enviá-los até sábado? Obrigado.",
      },
    ],
    tools: [
      tool("language.detect", t.detect, {
        text: TEXT,
        _output: object({
          clues: { ...list(TEXT), description: t.clues },
          doubts: list(object({ language: CODE, against: TEXT })),
          language: CODE,
          confidence: { type: "number", minimum: 0, maximum: 1 },
        }),
        _outputPath: { const: "†state.detected" },
      }),
      tool("text.translate", t.translate, {
        text: TEXT,
        from: CODE,
        into: { const: t.into },
        _output: object({ difficult: list(object({ phrase: TEXT, meaning: TEXT })), text: TEXT }),
      }),
      tool("tickets.assign", t.assign, {
        ticket: { type: "integer" },
        language: CODE,
        _output: object({ group: TEXT }),
      }),
      tool("tickets.note", t.note, {
        ticket: { type: "integer" },
        text: TEXT,
        _output: object({ note_id: TEXT }),
      }),
    ],
    plan: [
      { _tool: "language.detect", _id: "detect", text: "†input.text" },
      {
        _tool: "text.translate",
        _id: "translate",
        _reasoningForCall: t.reasoning,
        text: "†input.text",
        from: "†state.detected.language",
        into: t.into,
        _outputPath: "†state.translation",
      },
      {
        _tool: "tickets.assign",
        _id: "assign",
        ticket: "†input.ticket",
        language: "†state.detected.language",
        _outputPath: "†state.assigned",
      },
      {
        _tool: "tickets.note",
        _id: "note",
        ticket: "†input.ticket",
        text: "†state.translation.text",
        _outputPath: "†state.note",
      },
    ],
    output_schema: null,
    outside: {
      "tickets.assign": { idempotent: true, react: () => ({ ms: 340, output: { group: t.group } }) },
      "tickets.note": { idempotent: false, react: () => ({ ms: 280, output: { note_id: "z-10933" } }) },
    },
    said: [
      {
        ms: 2_600,
        input_tokens: 388,
        output_tokens: 142,
        answer: {
          result: {
            clues: [t.words, t.pronoun, t.marks],
            doubts: [
              { language: "es", against: t.againstSpanish },
              { language: "gl", against: t.againstGalician },
            ],
            language: "pt",
            confidence: 0.98,
          },
        },
      },
      {
        ms: 3_100,
        input_tokens: 412,
        output_tokens: 127,
        answer: {
          result: {
            difficult: [{ phrase: "Conseguem enviá-los", meaning: t.meaning }],
            text: t.translated,
          },
        },
      },
    ],
  }),
);
