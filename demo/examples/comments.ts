import type { Locale } from "../texts.ts";

/** A comment to moderate. */
export interface Comment {
  id: string;
  text: string;
}

interface Odd {
  text: string;
  /** What is wrong with it, or uncertain. */
  reason: string;
}

interface CommentTexts {
  /** The topics, as they appear in a comment. */
  topics: readonly string[];
  remarks: readonly ((topic: string) => string)[];
  /** Rude ones, by number. */
  rude: ReadonlyMap<number, Odd>;
  /** Ones that a model cannot decide. */
  doubtful: ReadonlyMap<number, Odd>;
}

const TEXTS: Record<Locale, CommentTexts> = {
  en: {
    topics: [
      "the parking on Forest Street",
      "the cycle lane along the river",
      "the repairs at School No. 4",
      "the bus timetable",
      "the trees cut down in the square",
      "the new ice rink",
      "the prices at the market",
      "the noise from the building site",
      "the stray dogs",
      "the street lamps on Garden Street",
    ],
    remarks: [
      (topic) => `Thank you for writing about ${topic}: our whole street has talked of it for a month.`,
      (topic) => `A good article about ${topic}, but without a single figure. What does it cost?`,
      (topic) => `Was anybody at the hearing about ${topic}? When is the next one?`,
      (topic) => `I live next door and can confirm every word about ${topic}.`,
      (topic) => `On ${topic}: look at the report for 2025 too, it is all there.`,
      (topic) => `I did not understand the paragraph about ${topic}. Could it be simpler?`,
      (topic) => `The second year that I read about ${topic}, and nothing changes.`,
      (topic) => `My neighbour wrote to the council about ${topic} and had an answer within a week.`,
      (topic) => `Who took the photo for the article about ${topic}? It is beautiful.`,
      (topic) => `Let us collect signatures, now that we talk about ${topic}.`,
    ],
    rude: new Map([
      [6, { text: "Can the author even read? No talent at all.", reason: "Insults the author" }],
      [23, { text: "They come here and tell us where to park!", reason: "Hostile to newcomers" }],
      [41, { text: "Idiots, all these cyclists. Chase them off.", reason: "Insults a group of people" }],
      [58, { text: "If I see that councillor near the school again, he'll get it.", reason: "Threat" }],
      [90, { text: "Shut up, nobody asked you.", reason: "Rude to another reader" }],
    ]),
    doubtful: new Map([
      [
        14,
        { text: 'Sure, "temporary". We know your "temporary", it made us laugh.', reason: "Sarcasm or an accusation" },
      ],
      [37, { text: "Dogs are kinder than some who write here.", reason: "Perhaps aimed at other readers" }],
      [
        66,
        { text: "The market's director knows it all. Ask him about spring.", reason: "A hint that cannot be checked" },
      ],
      [83, { text: "So who will answer for this? Shall I name him, or will you?", reason: "Perhaps a threat" }],
    ]),
  },
  ru: {
    topics: [
      "о парковке на Лесной",
      "о велодорожке вдоль набережной",
      "о ремонте школы № 4",
      "о графике автобусов",
      "о вырубке сквера",
      "о новом катке",
      "о ценах на рынке",
      "о шуме стройки",
      "о бродячих собаках",
      "о фонарях на Садовой",
    ],
    remarks: [
      (topic) => `Спасибо, что написали ${topic}: у нас во дворе это обсуждают уже месяц.`,
      (topic) => `Статья ${topic} хорошая, но в ней ни одной цифры. Сколько это стоит?`,
      (topic) => `Кто-нибудь был на слушаниях ${topic}? Когда следующие?`,
      (topic) => `Живу рядом и подтверждаю каждое слово ${topic}.`,
      (topic) => `Если речь ${topic}, посмотрите ещё отчёт за 2025 год, там всё есть.`,
      (topic) => `Ничего не поняла из абзаца ${topic}. Можно попроще?`,
      (topic) => `Второй год читаю ${topic}, и ничего не меняется.`,
      (topic) => `Мой сосед писал ${topic} в администрацию, ответили за неделю.`,
      (topic) => `А фото к статье ${topic} чьё? Очень красивое.`,
      (topic) => `Предлагаю собрать подписи, раз уж речь зашла ${topic}.`,
    ],
    rude: new Map([
      [6, { text: "Автор, ты читать-то умеешь? Бездарь.", reason: "Оскорбление автора" }],
      [23, { text: "Понаехали и указывают, где нам ставить машины!", reason: "Вражда к приезжим" }],
      [41, { text: "Идиоты эти ваши велосипедисты, всех бы разогнал.", reason: "Оскорбление группы людей" }],
      [58, { text: "Ещё раз увижу этого депутата у школы — получит.", reason: "Угроза" }],
      [90, { text: "Закройте рот, вас никто не спрашивал.", reason: "Грубость к собеседнику" }],
    ]),
    doubtful: new Map([
      [14, { text: "Ага, «временно». Знаем мы ваше «временно», повеселились.", reason: "Сарказм или обвинение" }],
      [37, { text: "Собаки добрее некоторых из тех, кто тут пишет.", reason: "Возможно, выпад против собеседников" }],
      [66, { text: "Директор рынка всё знает. Спросите его про весну.", reason: "Намёк, который нельзя проверить" }],
      [83, { text: "Ну и кто за это ответит? Фамилию назвать или сами?", reason: "Возможно, угроза" }],
    ]),
  },
};

const COUNT = 100;
/** Withdrawn by their authors before the decision. */
const WITHDRAWN = new Set([29, 72].map(idOf));

/** A hundred comments of one night, with findings. */
export function commentsIn(locale: Locale) {
  const { topics, remarks, rude, doubtful } = TEXTS[locale];
  const comments = Array.from({ length: COUNT }, (_, index): Comment => {
    const number = index + 1;
    const odd = rude.get(number) ?? doubtful.get(number);
    const remark = remarks[Math.floor(index / topics.length)];
    return { id: idOf(number), text: odd?.text ?? remark?.(topics[index % topics.length] ?? "") ?? "" };
  });
  return { comments, rudenessOf: reasonsOf(rude), doubtOf: reasonsOf(doubtful) };
}

/** Whether its author has withdrawn it. */
export function isWithdrawn(id: string): boolean {
  return WITHDRAWN.has(id);
}

/** What is odd about a text; null for most. */
function reasonsOf(odd: ReadonlyMap<number, Odd>): (text: string) => string | null {
  const reasons = new Map([...odd.values()].map(({ text, reason }) => [text, reason]));
  return (text) => reasons.get(text) ?? null;
}

function idOf(number: number): string {
  return `c-${String(number).padStart(3, "0")}`;
}
