const MONTHS = [
  ["январ", "jan"],
  ["феврал", "feb"],
  ["март", "mar"],
  ["апрел", "apr"],
  ["ма[йя]", "may"],
  ["июн", "jun"],
  ["июл", "jul"],
  ["август", "aug"],
  ["сентябр", "sep"],
  ["октябр", "oct"],
  ["ноябр", "nov"],
  ["декабр", "dec"],
] as const;
const MONTH = `(?:${MONTHS.flat().join("|")})[a-zа-яё]*`;
const CLOCK = String.raw`(?:[,\s]\s*(?:at|by|в|до|к)?\s*\d{1,2}:\d{2})?`;
const SOON = { сегодня: 0, today: 0, tonight: 0, завтра: 1, tomorrow: 1, послезавтра: 2 };

/** A date format with or without time. */
export const DATE = String.raw`(?:\d{4}-\d{2}-\d{2}|\d{1,2}\.\d{1,2}(?:\.\d{4})?|\d{1,2}(?:st|nd|rd|th)?(?:\s+of)?\s+${MONTH}(?:,?\s+\d{4})?|${MONTH}\s+\d{1,2}(?:st|nd|rd|th)?(?:,?\s+\d{4})?|${Object.keys(SOON).join("|")})${CLOCK}`;

const WEEKDAY =
  "(?:понедельник|вторник|сред[ауы]|четверг|пятниц[ауы]|суббот[ауы]|воскресень[ея]|(?:mon|tues|wednes|thurs|fri|satur|sun)day)";
const TIME_OF_DAY = String.raw`(?:(?:утром|днём|днем|вечером|in the (?:morning|afternoon|evening))|(?:at|by|в|во|к|до|после|after)?\s*\d{1,2}(?:[:.]\d{2})?\s*(?:час[а-яё]*|[ap]m|o'clock)?(?:\s(?:утра|дня|вечера))?)`;

/** A preferred time: a day, a time of day or both. */
export const MOMENT = String.raw`(?:(?:(?:на|в|во|к|ко|до|on|for|at|by)\s)?(?:${DATE}|(?:(?:next|this|следующ[а-я]+|эт[ау])\s)?${WEEKDAY}|(?:через|in)\s\d+\s(?:дн[а-яё]+|час[а-яё]*|days?|hours?|weeks?|недел[а-яё]+))(?:[,\s]\s*${TIME_OF_DAY}(?![a-zа-яё\d]))?)`;

/** A written date as `2026-05-05` or `2026-05-05T18:00:00`; without a year the next one. Null for an invalid date. */
export function readDate(text: string, now: Date): string | null {
  const day = dayOf(text.toLowerCase(), now);
  if (day === null) return null;
  const [, hours, minutes] = /(\d{1,2}):(\d{2})$/.exec(text) ?? [];
  if (hours === undefined || minutes === undefined) return day;
  return Number(hours) < 24 && Number(minutes) < 60 ? `${day}T${hours.padStart(2, "0")}:${minutes}:00` : null;
}

function dayOf(text: string, now: Date): string | null {
  const soon = Object.entries(SOON).find(([word]) => text.startsWith(word));
  if (soon) return printDay(new Date(now.getFullYear(), now.getMonth(), now.getDate() + soon[1]));
  const iso = /^(\d{4})-(\d{2})-(\d{2})/.exec(text);
  if (iso) return dayAt(Number(iso[1]), Number(iso[2]), Number(iso[3]));
  const dotted = /^(\d{1,2})\.(\d{1,2})(?:\.(\d{4}))?/.exec(text);
  if (dotted) return inYear(dotted[3], Number(dotted[2]), Number(dotted[1]), now);
  const month = MONTHS.findIndex((names) => names.some((name) => new RegExp(name).test(text)));
  const date = /(?<!\d)(\d{1,2})(?![\d:])/.exec(text)?.[1];
  return inYear(/\d{4}/.exec(text)?.[0], month + 1, Number(date), now);
}

function inYear(year: string | undefined, month: number, date: number, now: Date): string | null {
  if (year !== undefined) return dayAt(Number(year), month, date);
  const day = dayAt(now.getFullYear(), month, date);
  return day !== null && day < printDay(now) ? dayAt(now.getFullYear() + 1, month, date) : day;
}

function dayAt(year: number, month: number, date: number): string | null {
  const day = new Date(year, month - 1, date);
  return day.getMonth() === month - 1 && day.getDate() === date ? printDay(day) : null;
}

function printDay(day: Date): string {
  const two = (part: number) => String(part).padStart(2, "0");
  return `${day.getFullYear()}-${two(day.getMonth() + 1)}-${two(day.getDate())}`;
}
