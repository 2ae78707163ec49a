import { type Example, list, object, TEXT, tool } from "./example.ts";

const CODE = { ...TEXT, enum: ["pt", "es", "gl", "it", "fr", "ro", "en"] };

/**
 * Schema-guided reasoning: no program tells the language, the model does, and the schema of the result has it collect
 * clues and weigh what speaks against it before it names one. Only then the text is translated.
 */
export const languageFirst: Example = {
  id: "demo-example-language-first",
  title: "Письмо на незнакомом языке",
  channel: "telegram",
  user: "Марина Ким",
  agent: "Ассистент поддержки",
  question: "Пришло письмо по заявке 4471, не пойму даже, на каком языке. Переведи и приложи к заявке",
  answer:
    "Это португальский. Клиент пишет, что посылка 2291 пришла вскрытой и в ней не хватает двух винтов; просит прислать их до субботы. Перевод приложила к заявке 4471 и передала её португальской группе.",
  context: [
    {
      type: "input",
      ticket: 4471,
      text: "Bom dia! A encomenda 2291 chegou com a caixa aberta e faltam dois parafusos. Conseguem enviá-los até sábado? Obrigado.",
    },
  ],
  tools: [
    tool("language.detect", "Определить язык текста: сначала приметы, потом сомнения, потом ответ", {
      text: TEXT,
      _output: object({
        clues: { ...list(TEXT), description: "Слова и знаки, по которым виден язык" },
        doubts: list(object({ language: CODE, against: TEXT })),
        language: CODE,
        confidence: { type: "number", minimum: 0, maximum: 1 },
      }),
      _outputPath: { const: "†state.detected" },
    }),
    tool("text.translate", "Перевести: сначала трудные места, потом текст", {
      text: TEXT,
      from: CODE,
      into: { const: "ru" },
      _output: object({ difficult: list(object({ phrase: TEXT, meaning: TEXT })), text: TEXT }),
    }),
    tool("tickets.assign", "Передать заявку группе, которая знает язык", {
      ticket: { type: "integer" },
      language: CODE,
      _output: object({ group: TEXT }),
    }),
    tool("tickets.note", "Приложить заметку к заявке", {
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
      _reasoningForCall: "Язык известен, можно переводить.",
      text: "†input.text",
      from: "†state.detected.language",
      into: "ru",
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
    "tickets.assign": { idempotent: true, react: () => ({ ms: 340, output: { group: "Португальский" } }) },
    "tickets.note": { idempotent: false, react: () => ({ ms: 280, output: { note_id: "z-10933" } }) },
  },
  said: [
    {
      ms: 2_600,
      input_tokens: 388,
      output_tokens: 142,
      answer: {
        result: {
          clues: ["«encomenda», «parafusos», «obrigado»", "«enviá-los»: местоимение после глагола", "«até», «sábado»"],
          doubts: [
            { language: "es", against: "было бы «tornillos», «hasta», «gracias»" },
            { language: "gl", against: "было бы «parafusos», но «ata» и «grazas»" },
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
          difficult: [{ phrase: "Conseguem enviá-los", meaning: "«Сможете прислать их», о винтах" }],
          text: "Добрый день! Посылка 2291 пришла с открытой коробкой, и не хватает двух винтов. Сможете прислать их до субботы? Спасибо.",
        },
      },
    },
  ],
};
