/** What a value is, as far as its text tells. */
export type ValueKind = "number" | "date" | "code" | "words";

/** A value as it is compared: the same number, date or code is written in many ways. */
export interface ValueForm {
  kind: ValueKind;
  /** Equal for the same value. */
  key: string;
  /** How unlikely it is to meet the value by chance, in bits, as far as its text tells. */
  bits: number;
}

/** A value that stands in a text. */
export interface ValueInText {
  text: string;
  forms: readonly ValueForm[];
  /** The words around it, which say what it is. */
  near: string;
}

const DIGIT_BITS = 3.3;
/** In a code, letters are often a prefix that all codes share. */
const CAPITAL_BITS = 2.5;
const SMALL_LETTER_BITS = 1;
/** A separator tells a code from a word with a number. */
const SEPARATOR_BITS = 1.5;
const FRACTION_BITS = 3;
/** `1,200.00` is an amount, 1200 may be anything. */
const WRITTEN_OUT_BITS = 4;
const YEAR_BITS = 4;
const DATE_BITS = 9;
const TIME_BITS = 7;
const ADDRESS_BITS = 24;
/** A single word with a capital letter may be a name, or a choice of a few: it needs the same field's name. */
const WORD_BITS = 7.5;
const FEWEST_PHONE_DIGITS = 10;
/** Longer texts are not compared as a code. */
const LONGEST_CODE = 60;
/** How much of a text is searched for values: more than a usual message. */
const LONGEST_TEXT = 100_000;
const AROUND = 24;

const SPACE = String.raw` \u00a0\u202f`;
const AMOUNT = String.raw`\d{1,3}(?:[${SPACE},.']\d{3})+(?:[.,]\d+)?|\d+(?:[.,]\d+)?`;
/** A number with at most a currency or a unit. */
const NUMBER = new RegExp(
  String.raw`^([$€£₽¥]|[A-Z]{3}[${SPACE}])?([+-]?)(${AMOUNT})([${SPACE}]?[$€£₽¥%]|[${SPACE}]\p{L}{1,4}\.?)?$`,
  "u",
);
const VALUE = new RegExp(
  [
    String.raw`https?://[^\s"'<>)\]]*[\p{L}\p{N}/]`,
    String.raw`[\p{L}\p{N}_.+-]+@[\p{L}\p{N}-]+(?:\.[\p{L}\p{N}-]+)+`,
    String.raw`\d{4}-\d\d-\d\d[T ]\d\d:\d\d(?::\d\d(?:\.\d+)?)?(?:Z|[+-]\d\d:?\d\d)?`,
    String.raw`\d{4}-\d\d-\d\d(?![\d-])`,
    String.raw`\d{1,2}[./]\d{1,2}[./]\d{4}(?!\d)`,
    // An account number in groups of four.
    String.raw`[A-Z]{2}\d\d(?: [A-Z0-9]{4}){2,7}(?: [A-Z0-9]{1,3})?(?![\p{L}\p{N}])`,
    String.raw`[$€£₽]?\d{1,3}(?:[${SPACE},.']\d{3})+(?:[.,]\d{1,2})?(?![\p{L}\p{N}]|[-.,:/]\d| \d)`,
    // A telephone number, or another one in groups.
    String.raw`\+?\d{1,4}(?:[ -]?\(\d{2,5}\)[ -]?|[ -])\d{2,4}(?:[ -]\d{2,4}){1,4}(?![\p{L}\p{N}])`,
    String.raw`\(\d{3}\) ?\d{3}-\d{4}`,
    String.raw`[$€£₽]?\d+,\d{1,2}(?![\p{L}\p{N}])`,
    String.raw`(?=\S*\d)[\p{L}\p{N}_]+(?:[-/:.+][\p{L}\p{N}_]+)*`,
  ]
    .map((one) => `(?<![\\p{L}\\p{N}_])${one}`)
    .join("|"),
  "gu",
);

/** A value's forms, the most likely first: `1,200` may be 1200 or 1.2. Empty for an empty text. */
export function formsOf(value: string | number): readonly ValueForm[] {
  const text = String(value).trim();
  if (text === "") return [];
  if (text.length < FEWEST_PHONE_DIGITS && /^(?:[1-9]\d*|0)$/.test(text)) return [wholeNumber(text)];
  if (!/\d/.test(text)) return [{ kind: "words", key: `=${text}`, bits: bitsOfWords(text) }];
  const dates = datesOf(text).map((date): ValueForm => ({ kind: "date", key: `@${date}`, bits: DATE_BITS }));
  if (dates.length > 0) return dates;
  if (/^\d{1,2}:\d\d(:\d\d)?$/.test(text)) return [{ kind: "date", key: `@${text}`, bits: TIME_BITS }];
  const numbers = numbersOf(text);
  const phone = phoneOf(text);
  const forms = numbers.length > 0 ? numbers : [codeOf(text)];
  return phone === null ? forms : [...forms, { kind: "code", key: `tel ${phone}`, bits: 10 * DIGIT_BITS }];
}

/** The numbers, dates, codes and addresses that stand in a text, in order. */
export function valuesIn(text: string): ValueInText[] {
  const found: ValueInText[] = [];
  const read = text.slice(0, LONGEST_TEXT);
  if (!/[\d@]|:\/\//.test(read)) return found;
  for (const { 0: value, index } of read.matchAll(VALUE)) {
    if (!/\d|@/.test(value) && !value.includes("://")) continue;
    const near = read.slice(Math.max(0, index - AROUND), index + value.length + AROUND);
    found.push({ text: value, forms: formsOf(value), near });
  }
  return found;
}

/** Whether a word is written as names of things are: `checkout-api`. */
export function isCompound(text: string): boolean {
  return /\p{L}[-_]\p{L}/u.test(text);
}

/** Whether a text holds more than one value. */
export function isText(value: string): boolean {
  return /\s/.test(value.trim());
}

/** ISO dates; two if day and month cannot be told apart. */
function datesOf(text: string): string[] {
  if (!/^\d{1,4}[-./]\d/.test(text)) return [];
  const [, day] = /^(\d{4}-\d\d-\d\d)(?:[T ]00:00(?::00(?:\.0+)?)?Z?)?$/.exec(text) ?? [];
  if (day) return [day];
  const [, first, second, year] = /^(\d{1,2})[./](\d{1,2})[./](\d{4})$/.exec(text) ?? [];
  if (!first || !second || !year) return [];
  const iso = (month: string, day: string) => `${year}-${month.padStart(2, "0")}-${day.padStart(2, "0")}`;
  const either = [
    ...(Number(second) <= 12 ? [iso(second, first)] : []),
    // With dots the day is always first.
    ...(Number(first) <= 12 && text.includes("/") ? [iso(first, second)] : []),
  ];
  return [...new Set(either)];
}

function numbersOf(text: string): ValueForm[] {
  const [, before = "", sign = "", body = "", unit = ""] = NUMBER.exec(text) ?? [];
  if (body === "" || /^0\d/.test(body)) return [];
  const digits = body.replace(/[^\d.,]/g, "");
  const last = Math.max(digits.lastIndexOf("."), digits.lastIndexOf(","));
  const whole = digits.replace(/[.,]/g, "");
  const marks = digits.length - whole.length;
  const isGrouped = digits.length < body.length || marks > 1;
  const isWrittenOut = isGrouped || before !== "" || unit !== "" || /[.,]\d\d$/.test(digits);
  const form = (integer: string, fraction: string): ValueForm => {
    const rest = fraction.replace(/0+$/, "");
    const key = `${sign === "-" ? "-" : ""}${integer.replace(/^0+(?=\d)/, "")}${rest === "" ? "" : `.${rest}`}`;
    return { kind: "number", key: `#${key}`, bits: bitsOfNumber(key) + (isWrittenOut ? WRITTEN_OUT_BITS : 0) };
  };
  const asGroups = form(whole, "");
  if (marks === 0) return [asGroups];
  const asFraction = form(digits.slice(0, last).replace(/[.,]/g, ""), digits.slice(last + 1));
  const hasThree = digits.length - last === 4;
  if (!hasThree) return [asFraction];
  const mixed = digits.includes(".") && digits.includes(",");
  if (marks > 1 && !mixed) return [asGroups];
  return mixed || /^0/.test(digits) ? [asFraction] : [asFraction, asGroups];
}

function wholeNumber(digits: string): ValueForm {
  return { kind: "number", key: `#${digits}`, bits: bitsOfNumber(digits) };
}

function bitsOfNumber(key: string): number {
  if (/^(19|20)\d\d$/.test(key)) return YEAR_BITS;
  const significant = key.includes(".") ? key.replace(/[^\d]/g, "") : key.replace(/\D/g, "").replace(/0+$/, "");
  return significant.replace(/^0+/, "").length * DIGIT_BITS + (key.includes(".") ? FRACTION_BITS : 0);
}

/** The last ten digits of a telephone number: its country may be written or not. */
function phoneOf(text: string): string | null {
  if (text.length < FEWEST_PHONE_DIGITS) return null;
  if (!/^[+\d][\d\s().-]+$|^\(\d{3}\)[\d\s-]+$/.test(text)) return null;
  const digits = text.replace(/\D/g, "");
  const isPhone = /^\+|\(/.test(text) || (digits.length === 11 && /^[78]/.test(digits));
  return isPhone && digits.length >= FEWEST_PHONE_DIGITS && digits.length <= 13 ? digits.slice(-10) : null;
}

function codeOf(text: string): ValueForm {
  if (text.length > LONGEST_CODE) return { kind: "words", key: `=${text}`, bits: ADDRESS_BITS };
  if (/@|:\/\//.test(text)) return { kind: "code", key: `=${text}`, bits: ADDRESS_BITS };
  const key = text.replace(/[\s#-]/g, "").toUpperCase();
  const { digits, capitals, letters } = countSigns(text);
  if (digits === key.length && !key.startsWith("0")) return wholeNumber(key);
  const bits =
    digits * DIGIT_BITS +
    capitals * CAPITAL_BITS +
    (letters - capitals) * SMALL_LETTER_BITS +
    (/\p{N}[-/:._]|[-/:._]\p{N}/u.test(text) ? SEPARATOR_BITS : 0);
  return { kind: "code", key: `~${key}`, bits };
}

/** ASCII digits; letters of any alphabet, and those of them that are capitals. */
function countSigns(text: string): { digits: number; capitals: number; letters: number } {
  let [digits, capitals, letters] = [0, 0, 0];
  for (const sign of text) {
    const code = sign.charCodeAt(0);
    if (code >= 0x30 && code <= 0x39) digits += 1;
    else if (code < 0x80) {
      const isCapital = code >= 0x41 && code <= 0x5a;
      if (isCapital) capitals += 1;
      if (isCapital || (code >= 0x61 && code <= 0x7a)) letters += 1;
    } else if (/\p{L}/u.test(sign)) {
      letters += 1;
      if (/\p{Lu}/u.test(sign)) capitals += 1;
    }
  }
  return { digits, capitals, letters };
}

/** Words tell little: `Medium` looks like a name. What is common is learned from other sessions. */
function bitsOfWords(text: string): number {
  if (/@|:\/\//.test(text)) return ADDRESS_BITS;
  const words = text.split(/\s+/);
  const names = words.filter((word) => /^[^\p{L}]?\p{Lu}/u.test(word)).length;
  if (words.length > 1) {
    if (names > 1 || text.length >= 24) return 14;
    return names === 1 ? 10 : 6;
  }
  if (text.length < 3) return 0;
  if (names === 1) return WORD_BITS;
  if (isCompound(text) && text.length >= 8) return 9;
  return 4;
}
