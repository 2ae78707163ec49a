import { COMMENTS, doubtOf, isWithdrawn, rudenessOf } from "./comments.ts";
import { type Example, NUMBER, object, type Reaction, TEXT, tool } from "./example.ts";

/** What is found in a comment; a clean one has no reason. */
const MARK = object({ score: NUMBER, reason: TEXT }, ["reason"]);
const DONE = object({ action: { enum: ["published", "hidden", "handed_over"] }, at_place: TEXT });

const hidden = COMMENTS.filter(({ text }) => rudenessOf(text) !== null).length;
const doubtful = COMMENTS.filter(({ text }) => doubtOf(text) !== null).length;
const withdrawn = COMMENTS.filter(({ id }) => isWithdrawn(id));
const published = COMMENTS.length - hidden - doubtful - withdrawn.length;

/**
 * A hundred comments, each an instance of its own (P25): the same plan runs for all of them, and two that fail leave
 * the others alone (P26).
 */
export const moderation: Example = {
  id: "demo-example-moderation",
  title: "Сто комментариев за ночь",
  channel: "api",
  user: "svc-comments",
  agent: "Модератор",
  question:
    "Разбери 100 комментариев за ночь: чистые опубликуй, грубые скрой с причиной, сомнительные отдай Ирине. Каждое решение запиши в журнал.",
  answer: `Разобрал ${COMMENTS.length - withdrawn.length} из ${COMMENTS.length}: ${published} опубликовано, ${hidden} скрыто, ${doubtful} ждут Ирину. Два (${withdrawn.map(({ id }) => id).join(" и ")}) авторы успели удалить, их опубликовать нельзя.`,
  context: [
    {
      type: "state",
      description: "Что известно об одном комментарии",
      schema: {
        type: "object",
        properties: {
          clean: MARK,
          rude: MARK,
          doubtful: MARK,
          done: DONE,
          logged: object({ entry: TEXT }),
        },
        additionalProperties: false,
      },
    },
    { type: "input", rules: "Спорить можно, оскорблять нельзя", reviewer: "Ирина" },
    ...COMMENTS.map(({ id, text }) => ({ type: "input", _instance: id, id, text })),
  ],
  tools: [
    tool("comments.classify", "Оценить комментарий по правилам", { text: TEXT, rules: TEXT, _output: MARK }),
    tool("comments.publish", "Опубликовать", { comment_id: TEXT, score: NUMBER, _output: DONE }),
    tool("comments.hide", "Скрыть с причиной", { comment_id: TEXT, reason: TEXT, _output: DONE }),
    tool("reviews.hand_over", "Отдать человеку на решение", {
      comment_id: TEXT,
      to: TEXT,
      reason: TEXT,
      _output: DONE,
    }),
    tool("journal.add", "Записать решение в журнал", {
      comment_id: TEXT,
      action: TEXT,
      _output: object({ entry: TEXT }),
      _outputPath: { const: "†state.logged" },
    }),
  ],
  plan: [
    {
      _tool: "comments.classify",
      _id: "classify",
      text: "†input.text",
      rules: "†input.rules",
      _outputPath: "†state.clean || †state.rude || †state.doubtful",
    },
    {
      _tool: "comments.publish",
      _id: "publish",
      comment_id: "†input.id",
      score: "†state.clean.score",
      _outputPath: "†state.done",
    },
    {
      _tool: "comments.hide",
      _id: "hide",
      comment_id: "†input.id",
      reason: "†state.rude.reason",
      _outputPath: "†state.done",
    },
    {
      _tool: "reviews.hand_over",
      _id: "hand_over",
      _reasoningForCall: "Намёки и сарказм решает человек.",
      comment_id: "†input.id",
      to: "†input.reviewer",
      reason: "†state.doubtful.reason",
      _outputPath: "†state.done",
    },
    { _tool: "journal.add", _id: "log", comment_id: "†input.id", action: "†state.done.action" },
  ],
  output_schema: null,
  outside: {
    "comments.classify": { idempotent: true, react: ({ text }) => classify(String(text)) },
    "comments.publish": {
      idempotent: true,
      react: ({ comment_id: id }) =>
        isWithdrawn(String(id))
          ? { ms: 90, error: { code: "404", message: `Комментария ${id} больше нет: автор его удалил` } }
          : { ms: 110 + spread(String(id), 90), output: { action: "published", at_place: "лента" } },
    },
    "comments.hide": {
      idempotent: true,
      react: () => ({ ms: 130, output: { action: "hidden", at_place: "скрытые" } }),
    },
    "reviews.hand_over": {
      idempotent: false,
      react: ({ to }) => ({ ms: 170, output: { action: "handed_over", at_place: `очередь: ${to}` } }),
    },
    "journal.add": {
      idempotent: false,
      react: ({ comment_id: id }) => ({ ms: 40 + spread(String(id), 30), output: { entry: `ж-${id}` } }),
    },
  },
  said: [],
};

function classify(text: string): Reaction {
  const ms = 420 + spread(text, 380);
  const rude = rudenessOf(text);
  if (rude !== null) return { ms, output: { score: 0.94, reason: rude }, path: "†state.rude" };
  const doubt = doubtOf(text);
  if (doubt !== null) return { ms, output: { score: 0.51, reason: doubt }, path: "†state.doubtful" };
  return { ms, output: { score: 0.02 }, path: "†state.clean" };
}

/** A number below `range` that is always the same for a text: no two comments take equally long. */
function spread(text: string, range: number): number {
  let sum = 0;
  for (const character of text) sum = (sum * 31 + (character.codePointAt(0) ?? 0)) % 9_973;
  return sum % range;
}
