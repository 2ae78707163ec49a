import type { Locale, Texts } from "../texts.ts";
import { commentsIn, isWithdrawn } from "./comments.ts";
import { type Example, type Localized, NUMBER, object, type Reaction, TEXT, tool } from "./example.ts";

/** The decisions on the comments. */
interface Tally {
  all: number;
  published: number;
  hidden: number;
  doubtful: number;
  /** The ids of withdrawn comments. */
  withdrawn: readonly string[];
}

const TEXTS = {
  en: {
    answer: ({ all, published, hidden, doubtful, withdrawn }: Tally) =>
      `${all - withdrawn.length} of ${all} done: ${published} published, ${hidden} hidden, ${doubtful} wait for Irina. Two (${withdrawn.join(" and ")}) were deleted by their authors and cannot be published.`,
    gone: (id: string) => `There is no comment ${id} any more: its author deleted it`,
    queueOf: (name: string) => `queue: ${name}`,
    title: "A hundred comments overnight",
    agent: "Moderator",
    question:
      "Go through the 100 comments of the night: publish the clean ones, hide rude ones with a reason, give doubtful ones to Irina. Log every decision.",
    state: "What is known about one comment",
    rules: "Argue as you like, but do not insult",
    reviewer: "Irina",
    classify: "Rates a comment by the rules",
    publish: "Publishes a comment",
    hide: "Hides a comment with a reason",
    handOver: "Gives a comment to a person to decide",
    journal: "Logs a decision",
    reasoning: "A person decides about hints and sarcasm.",
    feed: "feed",
    hiddenPlace: "hidden",
  },
  ru: {
    answer: ({ all, published, hidden, doubtful, withdrawn }: Tally) =>
      `Разобрал ${all - withdrawn.length} из ${all}: ${published} опубликовано, ${hidden} скрыто, ${doubtful} ждут Ирину. Два (${withdrawn.join(" и ")}) авторы успели удалить, их опубликовать нельзя.`,
    gone: (id: string) => `Комментария ${id} больше нет: автор его удалил`,
    queueOf: (name: string) => `очередь: ${name}`,
    title: "Сто комментариев за ночь",
    agent: "Модератор",
    question:
      "Разбери 100 комментариев за ночь: чистые опубликуй, грубые скрой с причиной, сомнительные отдай Ирине. Каждое решение запиши в журнал.",
    state: "Что известно об одном комментарии",
    rules: "Спорить можно, оскорблять нельзя",
    reviewer: "Ирина",
    classify: "Оценить комментарий по правилам",
    publish: "Опубликовать",
    hide: "Скрыть с причиной",
    handOver: "Отдать человеку на решение",
    journal: "Записать решение в журнал",
    reasoning: "Намёки и сарказм решает человек.",
    feed: "лента",
    hiddenPlace: "скрытые",
  },
} satisfies Texts;

/** The findings of a comment; a clean one has no reason. */
const MARK = object({ score: NUMBER, reason: TEXT }, ["reason"]);
const DONE = object({ action: { enum: ["published", "hidden", "handed_over"] }, at_place: TEXT });

/**
 * A hundred comments, each an instance (P25): the same plan runs for all of them, and two failures do not affect the
 * others (P26).
 */
export const moderation: Localized = { en: moderationIn("en"), ru: moderationIn("ru") };

function moderationIn(locale: Locale): Example {
  const t = TEXTS[locale];
  const { comments, doubtOf, rudenessOf } = commentsIn(locale);
  const hidden = comments.filter(({ text }) => rudenessOf(text) !== null).length;
  const doubtful = comments.filter(({ text }) => doubtOf(text) !== null).length;
  const withdrawn = comments.filter(({ id }) => isWithdrawn(id)).map(({ id }) => id);
  const published = comments.length - hidden - doubtful - withdrawn.length;
  return {
    id: "demo-example-moderation",
    title: t.title,
    channel: "api",
    user: "svc-comments",
    agent: t.agent,
    question: t.question,
    answer: t.answer({ all: comments.length, published, hidden, doubtful, withdrawn }),
    context: [
      {
        type: "state",
        description: t.state,
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
      { type: "input", rules: t.rules, reviewer: t.reviewer },
      ...comments.map(({ id, text }) => ({ type: "input", _instance: id, id, text })),
    ],
    tools: [
      tool("comments.classify", t.classify, { text: TEXT, rules: TEXT, _output: MARK }),
      tool("comments.publish", t.publish, { comment_id: TEXT, score: NUMBER, _output: DONE }),
      tool("comments.hide", t.hide, { comment_id: TEXT, reason: TEXT, _output: DONE }),
      tool("reviews.hand_over", t.handOver, {
        comment_id: TEXT,
        to: TEXT,
        reason: TEXT,
        _output: DONE,
      }),
      tool("journal.add", t.journal, {
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
        _reasoningForCall: t.reasoning,
        comment_id: "†input.id",
        to: "†input.reviewer",
        reason: "†state.doubtful.reason",
        _outputPath: "†state.done",
      },
      { _tool: "journal.add", _id: "log", comment_id: "†input.id", action: "†state.done.action" },
    ],
    output_schema: null,
    outside: {
      "comments.classify": { idempotent: true, react: ({ text }) => classify(String(text), rudenessOf, doubtOf) },
      "comments.publish": {
        idempotent: true,
        react: ({ comment_id: id }) =>
          isWithdrawn(String(id))
            ? { ms: 90, error: { code: "404", message: t.gone(String(id)) } }
            : { ms: 110 + spread(String(id), 90), output: { action: "published", at_place: t.feed } },
      },
      "comments.hide": {
        idempotent: true,
        react: () => ({ ms: 130, output: { action: "hidden", at_place: t.hiddenPlace } }),
      },
      "reviews.hand_over": {
        idempotent: false,
        react: ({ to }) => ({ ms: 170, output: { action: "handed_over", at_place: t.queueOf(String(to)) } }),
      },
      "journal.add": {
        idempotent: false,
        react: ({ comment_id: id }) => ({ ms: 40 + spread(String(id), 30), output: { entry: `j-${id}` } }),
      },
    },
    said: [],
  };
}

function classify(
  text: string,
  rudenessOf: (text: string) => string | null,
  doubtOf: (text: string) => string | null,
): Reaction {
  const ms = 420 + spread(text, 380);
  const rude = rudenessOf(text);
  if (rude !== null) return { ms, output: { score: 0.94, reason: rude }, path: "†state.rude" };
  const doubt = doubtOf(text);
  if (doubt !== null) return { ms, output: { score: 0.51, reason: doubt }, path: "†state.doubtful" };
  return { ms, output: { score: 0.02 }, path: "†state.clean" };
}

/** A number below `range` derived from a text, so that comments take different times. */
function spread(text: string, range: number): number {
  let sum = 0;
  for (const character of text) sum = (sum * 31 + (character.codePointAt(0) ?? 0)) % 9_973;
  return sum % range;
}
