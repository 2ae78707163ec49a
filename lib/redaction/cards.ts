const CARD_MARK = "[redacted:card]";
const IBAN_MARK = "[redacted:iban]";

/** Between groups of digits: spaces and hyphens of every width. */
const GAP = "[ \\u00a0\\u2000-\\u200a\\u202f\\u2010-\\u2015\\u2212-]";
const CARD = new RegExp(`(?<![\\p{L}\\p{N}_.-])\\d(?:${GAP}?\\d){11,60}(?![\\p{L}\\p{N}_])`, "gu");
/** Dots divide a card number into its usual groups; elsewhere they belong to decimals, versions and addresses. */
const DOTTED =
  /(?<![\p{L}\p{N}_.-])(?:\d{4}\.\d{4}\.\d{4}\.\d{4}(?:\.\d{1,3})?|\d{4}\.\d{6}\.\d{4,5})(?![\p{L}\p{N}_]|\.\d)/gu;
const IBAN = new RegExp(`(?<![\\p{L}\\p{N}_-])[A-Z]{2}\\d{2}(?:${GAP}?[A-Z0-9]){11,30}(?![\\p{L}\\p{N}_])`, "giu");

/** Removes card numbers and bank account numbers (IBAN) from a text. */
export function withoutCards(text: string): string {
  if (!/\d/.test(text)) return text;
  return text
    .replace(IBAN, (found) => withoutIban(found))
    .replace(CARD, withoutCard)
    .replace(DOTTED, (found) => {
      const digits = found.replaceAll(".", "");
      return lengthsAt(digits, 0).includes(digits.length) && luhn(digits) ? CARD_MARK : found;
    });
}

/** The placeholder for a number that is a card number; otherwise the number. */
export function withoutCardNumber(value: number): number | string {
  return Number.isSafeInteger(value) && value > 1e11 && withoutCard(String(value)) === CARD_MARK ? CARD_MARK : value;
}

/** The prefixes and lengths of card numbers by issuer. */
const ISSUERS: readonly (readonly [RegExp, readonly number[]])[] = [
  [/^4/, [13, 16, 19]],
  [/^(?:5[1-5]|222[1-9]|22[3-9]\d|2[3-6]\d\d|27[01]\d|2720)/, [16]],
  [/^220[0-4]/, [16, 17, 18, 19]],
  [/^3[47]/, [15]],
  [/^(?:30[0-5]|36|38)/, [14]],
  [/^35(?:2[89]|[3-8]\d)/, [16, 17, 18, 19]],
  [/^(?:6011|64[4-9]|65|62)/, [16, 17, 18, 19]],
  [/^(?:5018|5020|5038|5893|6304|6759|676[1-3])/, [12, 13, 14, 15, 16, 17, 18, 19]],
];

/** Numbers beside a card number, such as its expiry, are separated from it like its groups. */
function withoutCard(found: string): string {
  const places = [...found.matchAll(/\d/g)].map(({ index }) => index);
  const digits = found.replaceAll(/\D/g, "");
  const isDivided = (at: number) => at === 0 || at === digits.length || places[at] !== (places[at - 1] ?? 0) + 1;
  let left = "";
  let from = 0;
  for (let at = 0; at < digits.length; at += 1) {
    const length = isDivided(at)
      ? lengthsAt(digits, at).find((one) => isDivided(at + one) && isCard(digits, at, one))
      : undefined;
    if (length === undefined) continue;
    left += found.slice(from, places[at]) + CARD_MARK;
    at += length - 1;
    from = (places[at] ?? 0) + 1;
  }
  return left + found.slice(from);
}

/** The possible lengths of a card number that starts here. */
function lengthsAt(digits: string, at: number): readonly number[] {
  const head = digits.slice(at, at + 4);
  return ISSUERS.find(([beginning]) => beginning.test(head))?.[1] ?? [];
}

function isCard(digits: string, at: number, length: number): boolean {
  return at + length <= digits.length && luhn(digits.slice(at, at + length));
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

/** The lengths of IBANs by country. */
const IBAN_LENGTHS: ReadonlyMap<string, number> = new Map(
  (
    "AD24 AE23 AL28 AT20 AZ28 BA20 BE16 BG22 BH22 BI27 BR29 BY28 CH21 CR22 CY28 CZ24 DE22 DJ27 DK18 DO28 EE20 EG29 ES24 " +
    "FI18 FK18 FO18 FR27 GB22 GE22 GI23 GL18 GR27 GT28 HN28 HR21 HU28 IE22 IL23 IQ23 IS26 IT27 JO30 KW30 KZ20 LB28 LC32 " +
    "LI21 LT20 LU20 LV21 LY25 MC27 MD24 ME22 MK19 MN20 MR27 MT31 MU30 NI28 NL18 NO15 OM23 PK24 PL28 PS29 PT25 QA29 RO24 " +
    "RS22 RU33 SA24 SC31 SD18 SE24 SI19 SK24 SM27 SO23 ST25 SV28 TL23 TN24 TR26 UA29 VA22 VG24 XK20 YE30"
  )
    .split(" ")
    .map((each) => [each.slice(0, 2), Number(each.slice(2))]),
);

/** A word may follow an IBAN after a space, so its length determines its end. */
function withoutIban(found: string): string {
  const length = IBAN_LENGTHS.get(found.slice(0, 2).toUpperCase());
  if (length === undefined) return found;
  let end = 0;
  let digits = "";
  for (; end < found.length && digits.length < length; end += 1)
    if (/[a-z0-9]/i.test(found.charAt(end))) digits += found.charAt(end);
  if (digits.length < length || /^[a-z0-9]/i.test(found.slice(end)) || !hasIbanCheck(digits.toUpperCase()))
    return found;
  return `${IBAN_MARK}${found.slice(end)}`;
}

/** ISO 7064, modulo 97: letters count from 10. */
function hasIbanCheck(iban: string): boolean {
  let rest = 0;
  for (const char of iban.slice(4) + iban.slice(0, 4)) rest = Number(`${rest}${Number.parseInt(char, 36)}`) % 97;
  return rest === 1;
}
