/** A comment that waits for a decision. */
export interface Comment {
  id: string;
  text: string;
}

/** What readers write about, as in «спасибо, что написали …». */
const TOPICS = [
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
];

const REMARKS: ((topic: string) => string)[] = [
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
];

/** Rude ones, by their number, with what is wrong with them. */
const RUDE = new Map([
  [6, { text: "Автор, ты читать-то умеешь? Бездарь.", reason: "Оскорбление автора" }],
  [23, { text: "Понаехали и указывают, где нам ставить машины!", reason: "Вражда к приезжим" }],
  [41, { text: "Идиоты эти ваши велосипедисты, всех бы разогнал.", reason: "Оскорбление группы людей" }],
  [58, { text: "Ещё раз увижу этого депутата у школы — получит.", reason: "Угроза" }],
  [90, { text: "Закройте рот, вас никто не спрашивал.", reason: "Грубость к собеседнику" }],
]);

/** Ones that a machine cannot tell, with what makes it doubt. */
const DOUBTFUL = new Map([
  [14, { text: "Ага, «временно». Знаем мы ваше «временно», повеселились.", reason: "Сарказм или обвинение" }],
  [37, { text: "Собаки добрее некоторых из тех, кто тут пишет.", reason: "Возможно, выпад против собеседников" }],
  [66, { text: "Директор рынка всё знает. Спросите его про весну.", reason: "Намёк, который нельзя проверить" }],
  [83, { text: "Ну и кто за это ответит? Фамилию назвать или сами?", reason: "Возможно, угроза" }],
]);

/** Their authors have taken them back before anybody could decide. */
const WITHDRAWN = [29, 72];

/** A hundred comments of one night. */
export const COMMENTS: readonly Comment[] = Array.from({ length: 100 }, (_, index) => {
  const number = index + 1;
  const odd = RUDE.get(number) ?? DOUBTFUL.get(number);
  const topic = TOPICS[index % TOPICS.length] ?? "";
  const remark = REMARKS[Math.floor(index / TOPICS.length)];
  return { id: idOf(number), text: odd?.text ?? remark?.(topic) ?? "" };
});

const RUDE_REASONS = new Map([...RUDE.values()].map(({ text, reason }) => [text, reason]));
const DOUBTS = new Map([...DOUBTFUL.values()].map(({ text, reason }) => [text, reason]));
const WITHDRAWN_IDS = new Set(WITHDRAWN.map(idOf));

/** What is wrong with a comment's text; null when nothing is. */
export function rudenessOf(text: string): string | null {
  return RUDE_REASONS.get(text) ?? null;
}

/** What makes a text doubtful; null when nothing does. */
export function doubtOf(text: string): string | null {
  return DOUBTS.get(text) ?? null;
}

/** Whether its author has taken the comment back. */
export function isWithdrawn(id: string): boolean {
  return WITHDRAWN_IDS.has(id);
}

function idOf(number: number): string {
  return `к-${String(number).padStart(3, "0")}`;
}
