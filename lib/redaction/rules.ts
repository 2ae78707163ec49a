/** What can be taken out of texts. */
export const REDACTION_RULES = ["keys", "cards", "emails", "phones"] as const;
export type RedactionRule = (typeof REDACTION_RULES)[number];

/** What stands in a secret's place. */
export const MARKS = {
  keys: "[redacted:key]",
  cards: "[redacted:card]",
  emails: "[redacted:email]",
  phones: "[redacted:phone]",
} as const satisfies Record<RedactionRule, string>;

/** A text in which what a rule finds is replaced; in time that grows with its length, whatever it holds. */
export const REDACTORS: Readonly<Record<RedactionRule, (text: string) => string>> = {
  keys: (text) => SHAPES.reduce((left, [shape, put]) => left.replace(shape, put), assigned(withoutKeyBlocks(text))),
  cards: (text) => text.replace(CARD, (found) => (isCard(found) ? MARKS.cards : found)),
  emails: (text) => (text.includes("@") ? text.replace(EMAIL, MARKS.emails) : text),
  phones: (text) => text.replace(PHONE, (found) => (isPhone(found) ? MARKS.phones : found)),
};

// No shape begins within a word and each has a longest form, so that a text is gone through once.
const KEY = MARKS.keys;
const SHAPES: readonly (readonly [RegExp, string])[] = [
  [/(?<![\w-])sk-[\w-]{16,200}/g, KEY],
  [/(?<![\w-])(?:sk|rk|pk)_(?:live|test)_\w{10,200}/g, KEY],
  [/(?<![\w-])obl_[\w-]{16,200}/g, KEY],
  [/(?<![\w-])(?:AKIA|ASIA)[0-9A-Z]{16}(?!\w)/g, KEY],
  [/(?<![\w-])(?:gh[pousr]_\w{20,255}|github_pat_\w{20,255}|glpat-[\w-]{20,100})/g, KEY],
  [/(?<![\w-])xox[abeoprs]-[\w-]{10,250}/g, KEY],
  [/(?<![\w-])AIza[\w-]{35}(?![\w-])/g, KEY],
  [/(?<![\w-])eyJ[\w-]{8,4000}\.[\w-]{8,4000}\.[\w-]{0,4000}/g, KEY],
  // What follows "Bearer" in plain words has no digit.
  [/(?<!\w)(bearer\s{1,4})(?=[^\s\d]{0,200}\d)[\w.~+/=-]{12,4000}/gi, `$1${KEY}`],
  // A webhook's secret in the address of a Bitrix24 portal.
  [/(\/rest\/\d{1,12}\/)[A-Za-z0-9]{8,64}(?![A-Za-z0-9])/g, `$1${KEY}`],
  // A bot's token, in an address of the Bot API too.
  [/(?<!\d)\d{6,12}:[\w-]{30,64}(?![\w-])/g, KEY],
];

const ASSIGNED =
  /(password|passwd|pwd|secret|token|api[_-]?key|access[_-]?key|private[_-]?key)(\\?["']?\s{0,4}([=:])\s{0,4}\\?["']?)([^\s"'\\,;&<>(){}[\]]{3,500})/gi;

/** `password=…` and the like. After a colon plain words may follow, as in "Secret: nobody knows". */
function assigned(text: string): string {
  return text.replace(ASSIGNED, (all, name: string, between: string, sign: string, value: string) => {
    const isPlain = sign === ":" && !between.includes('"') && !/\d/.test(value) && !/^p/i.test(name);
    return isPlain || value.startsWith("[redacted") ? all : `${name}${between}${KEY}`;
  });
}

const BEGIN = "-----BEGIN ";
const END = /-----END [A-Z ]{0,40}-----/g;

/** Blocks of private keys; one without an end goes to the text's end. */
function withoutKeyBlocks(text: string): string {
  if (!text.includes(BEGIN)) return text;
  let left = "";
  let from = 0;
  for (let begin = text.indexOf(BEGIN); begin >= 0; begin = text.indexOf(BEGIN, from)) {
    if (!/^-----BEGIN [A-Z ]{0,40}PRIVATE KEY/.test(text.slice(begin, begin + 80))) {
      left += text.slice(from, begin + BEGIN.length);
      from = begin + BEGIN.length;
      continue;
    }
    left += `${text.slice(from, begin)}${KEY}`;
    END.lastIndex = begin;
    from = END.test(text) ? END.lastIndex : text.length;
  }
  return left + text.slice(from);
}

const CARD = /(?<![\p{L}\p{N}_.-])\d(?:[ -]?\d){12,18}(?![\p{L}\p{N}_])/gu;

/** How the numbers of cards begin, and how long they are. */
const ISSUERS: readonly (readonly [RegExp, readonly number[]])[] = [
  [/^4/, [13, 16, 19]],
  [/^(?:5[1-5]|222[1-9]|22[3-9]\d|2[3-6]\d\d|27[01]\d|2720)/, [16]],
  [/^220[0-4]/, [16, 17, 18, 19]],
  [/^3[47]/, [15]],
  [/^35(?:2[89]|[3-8]\d)/, [16, 17, 18, 19]],
  [/^(?:6011|64[4-9]|65|62)/, [16, 17, 18, 19]],
];

function isCard(found: string): boolean {
  const digits = found.replaceAll(/\D/g, "");
  return (
    ISSUERS.some(([beginning, lengths]) => beginning.test(digits) && lengths.includes(digits.length)) && luhn(digits)
  );
}

function luhn(digits: string): boolean {
  let sum = 0;
  for (let at = 0; at < digits.length; at += 1) {
    const digit = Number(digits[digits.length - 1 - at]);
    const doubled = at % 2 === 1 ? digit * 2 : digit;
    sum += doubled > 9 ? doubled - 9 : doubled;
  }
  return sum % 10 === 0;
}

const EMAIL =
  /(?<![\p{L}\p{N}._%+-])[\p{L}\p{N}._%+-]{1,64}@[\p{L}\p{N}](?:[\p{L}\p{N}-]{0,62}\.){1,8}\p{L}{2,24}(?![\p{L}\p{N}])/gu;

const GAP = "[ \\u00a0.-]{0,2}";
/** With a plus; Russian ones that begin with 7 or 8; and such as begin with a code in brackets. */
const PHONE = new RegExp(
  [
    `(?<![\\p{L}\\p{N}+_])\\+\\d(?:[ \\u00a0().-]{0,3}\\d){8,14}(?![\\p{L}\\p{N}])`,
    `(?<![\\p{L}\\p{N}_.+#№-])[78]${GAP}\\(?[3489]\\d{2}\\)?${GAP}\\d{3}${GAP}\\d{2}${GAP}\\d{2}(?![\\p{L}\\p{N}_]|[.-]\\d)`,
    `(?<![\\p{L}\\p{N}_])\\(\\d{3,5}\\)[ \\u00a0]?(?:\\d{1,3}-\\d{2}-\\d{2}|\\d{3}-\\d{4})(?![\\p{L}\\p{N}]|-\\d)`,
  ].join("|"),
  "gu",
);

function isPhone(found: string): boolean {
  const digits = found.replaceAll(/\D/g, "");
  // Eleven digits on end are more often an id: of those, only mobile numbers are taken.
  return digits.length !== found.length || /^[78]9/.test(digits);
}
