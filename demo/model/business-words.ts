/** A kind of business in a sentence: up to the next separator. */
export const BUSINESS = String.raw`[^?!.,;:…«»„“”"()\n—–]{2,80}(?<!\s)`;

/** Preceding words that are not part of it. */
const BEFORE =
  /^(?:(?:an?|the|my|our|your|his|her|own|some|small|little|мо(?:й|я|ё|е|его|ей|ю|и)|наш(?:а|е|его|ей|у|и)?|сво(?:й|я|ё|е|его|ей|ю)|ваш(?:его|ей)?|небольш[а-яё]+|маленьк[а-яё]+|собственн[а-яё]+|есть|это|как(?:ой|ая|ую)-нибудь)\s+)+/i;
/** Where the sentence continues with something else. */
const AFTER =
  /\s+(?:(?:и|а|но|and|but|so)\s+)?(?:я|мы|мне|нам|хо(?:чу|тим|тел)|покаж|показ|давай|можно|пожалуйста|плиз|как\s+(?:это|он)|please|i|i'd|we|can|could|show|let|to see|would)(?![a-zа-яё]).*$|\s+(?:хотел|покаж|показ|давай)[а-яё]*.*$|\s+(?:под названием|с названием|котор[а-яё]+ называется|называется|called|named)$/i;
/** Words that are no kind of business. */
const NOTHING =
  /^(?:(?:друг|ин|нов|люб)[а-яё]+(?:\s[а-яё]+)?|(?:another|other|different|new|any)(?:\s[a-z]+)*|бизнес[а-яё]*|дел[а-яё]{1,2}|компани[а-яё]+|ниш[а-яё]|сфер[а-яё]|меня|мне|нас|нам|себя|вас|вы|я|мы|вопрос[а-яё]*.*|проблем[а-яё]*.*|идея|просьба.*|нет.*|не\s.*|демо.*|demo.*|пример[а-яё]*|начала|сейчас|now|(?:хо(?:чу|тел|тим)|покаж|показ|давай|посмотр|спасибо|привет|здравств|добр[а-яё]+\s|ок$|окей|да$|хорошо|стоп|зачем|почему|как\s|кто|что|want|show|let|thank|hello|hi$|yes|ok$|okay|stop|why|how|who|what).*|он[аои]?|business(?:es)?|compan(?:y|ies)|me|us|it|myself|you|(?:\w+\s)?(?:questions?|problems?|ideas?)(?:\s.*)?|no|not(?:\s.*)?|здесь|тут|here)$/i;

/** Kinds of places in the nominative, by the stems of their other cases. */
const PLACES: readonly (readonly [stem: string, nominative: string])[] = [
  ...["агентство", "ателье", "бюро", "кафе", "производство"].map(declined),
  ...["автомойка", "автошкола", "аптека", "библиотека", "галерея", "гостиница", "клиника", "компания"].map(declined),
  ...["кофейня", "лавка", "лаборатория", "оптика", "пекарня", "пиццерия", "служба", "стоматология"].map(declined),
  ...["студия", "типография", "ферма", "фирма", "фотостудия", "химчистка", "школа", "автомастерская"].map(declined),
  ...["мастерская", "парикмахерская", "кондитерская", "столовая", "прачечная", "булочная"].map(declined),
  ...["автосервис", "банк", "бар", "барбершоп", "магазин", "завод", "зоомагазин", "интернет-магазин"].map(declined),
  ...["кинотеатр", "клуб", "музей", "отель", "питомник", "прокат", "ресторан", "салон", "сервис"].map(declined),
  ...["склад", "спортзал", "театр", "техцентр", "фитнес-клуб", "хостел", "центр"].map(declined),
];

function declined(nominative: string): readonly [stem: string, nominative: string] {
  return [nominative.replace(/(?:ая|[аяоейь])$/, ""), nominative];
}

const CASE_ENDING = /^(?:ами?|ями?|ах|ях|ой|ою|ей|ею|ую|ая|ом|ем|ым|ов|ев|[аяоеёиыуюйь])?$/;
const ADJECTIVE = /^([а-яё-]{2,}?)(?:ого|его|ому|ему|ой|ей|ую|юю|ая|яя|ый|ий|ое|ее|ым|им)$/i;

/** A kind of business in its base form: "for my bakery" is "bakery", "цветочного магазина" is "цветочный магазин". */
export function readBusiness(text: string): string | null {
  const bare = text.trim().replace(BEFORE, "").replace(AFTER, "").trim();
  return bare.length < 2 || NOTHING.test(bare) || !/\p{L}/u.test(bare) ? null : nominative(bare);
}

/** The nominative of a phrase in another case, if its noun is known. */
function nominative(text: string): string {
  const words = text.split(/\s+/);
  const at = words.findIndex((word) => placeIn(word) !== null);
  const noun = placeIn(words[at] ?? "");
  if (noun === null || !words.slice(0, at).every((word) => ADJECTIVE.test(word))) return text;
  return [...words.slice(0, at).map((word) => agreeing(word, noun)), noun, ...words.slice(at + 1)].join(" ");
}

function placeIn(word: string): string | null {
  const lower = word.toLowerCase();
  const found = PLACES.find(([stem]) => lower.startsWith(stem) && CASE_ENDING.test(lower.slice(stem.length)));
  return found?.[1] ?? null;
}

/** The nominative of an adjective before a noun. */
function agreeing(adjective: string, noun: string): string {
  const stem = ADJECTIVE.exec(adjective)?.[1] ?? adjective;
  const soft = /(?:его|ему|ей|юю|яя|ее)$/i.test(adjective) && !/[жшчщ]$/i.test(stem);
  if (/[ая]$/.test(noun)) return stem + (soft ? "яя" : "ая");
  if (/[оеё]$/.test(noun)) return stem + (soft ? "ее" : "ое");
  return stem + (soft || /[гкхжшчщ]$/i.test(stem) ? "ий" : "ый");
}
