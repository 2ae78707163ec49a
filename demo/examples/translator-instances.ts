import { type Example, object, TEXT, tool } from "./example.ts";

const TRANSLATION = object({ text: TEXT, language: TEXT });

/** What each instance has to translate, and what comes of it. */
const LETTERS = [
  {
    instance: "①",
    to: "rita.moura@azulejo.example",
    language: "pt",
    text: "Dear Rita, the kiln you ordered leaves our yard on Monday and reaches Lisbon within nine days.",
    translated:
      "Cara Rita, o forno que encomendou sai do nosso armazém na segunda-feira e chega a Lisboa em nove dias.",
    ms: 2_350,
    tokens: [402, 61],
  },
  {
    instance: "②",
    to: "sales@kilnworks.example",
    language: "en",
    text: "先日の釉薬の見本、ありがとうございました。来月、六缶を追加で注文したいと思います。",
    translated:
      "Thank you for the glaze samples you sent the other day. We would like to order six more cans next month.",
    ms: 3_120,
    tokens: [431, 48],
  },
] as const;

/** A delegate in a clean room: one call in two instances, each of which lets the translator see its own state alone. */
export const translatorInstances: Example = {
  id: "demo-example-translator",
  title: "A letter to Lisbon, a letter from Kyoto",
  channel: "web",
  user: "nadia.weiss",
  agent: "letters-assistant",
  question:
    "Please put my letter to Rita into Portuguese, and the one from Kyoto into English for sales. Drafts only, I send them myself.",
  answer:
    "Both drafts are ready: the letter to **Rita** is in Portuguese, and for **sales** the one from Kyoto is in English; they ask for six more cans of glaze next month.",
  context: [
    // Not in scope: no translator needs to know what a customer owes.
    { type: "data", kind: "ledger", data: { "rita.moura@azulejo.example": { owes: 1_870, currency: "EUR" } } },
    ...LETTERS.map(({ instance, text }) => ({ type: "state", _instance: instance, text })),
    ...LETTERS.map(({ instance, to, language }) => ({ type: "input", _instance: instance, to, language })),
  ],
  tools: [
    tool("translate", "Translates the text of the state", { language: TEXT, _output: TRANSLATION }),
    tool("mail.draft", "Keeps a draft in the outbox", { to: TEXT, body: TEXT, _output: object({ draft_id: TEXT }) }),
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
  said: LETTERS.map(({ text, translated, language, ms, tokens: [input_tokens, output_tokens] }) => ({
    to: text,
    ms,
    input_tokens,
    output_tokens,
    answer: { calls: [], output: { text: translated, language } },
  })),
};
