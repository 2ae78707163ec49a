import { withoutCards } from "./cards.ts";
import { withoutNamed } from "./names.ts";
import { withoutSecrets } from "./secrets.ts";

/** The redaction rules. */
export const REDACTION_RULES = ["keys", "cards", "emails", "phones"] as const;
export type RedactionRule = (typeof REDACTION_RULES)[number];

/** The functions of the rules, each in linear time. */
export const REDACTORS: Readonly<Record<RedactionRule, (text: string) => string>> = {
  // Shapes first: a name may be next to a part of one.
  keys: (text) => withoutNamed(withoutSecrets(text)),
  cards: withoutCards,
  emails: (text) => (text.includes("@") ? text.replace(EMAIL, "[redacted:email]") : text),
  phones: (text) => text.replace(PHONE, (found) => (isPhone(found) ? "[redacted:phone]" : found)),
};

const EMAIL =
  /(?<![\p{L}\p{N}._%+-])[\p{L}\p{N}._%+-]{1,64}@[\p{L}\p{N}](?:[\p{L}\p{N}-]{0,62}\.){1,8}\p{L}{2,24}(?![\p{L}\p{N}])/gu;

const GAP = "[ \\u00a0.-]{0,2}";
/** With a plus; Russian ones starting with 7 or 8; and those starting with a code in brackets. */
const PHONE = new RegExp(
  [
    `(?<![\\p{L}\\p{N}+_])\\+\\d(?:[ \\u00a0().-]{0,3}\\d){8,14}(?![\\p{L}\\p{N}])`,
    `(?<![\\p{L}\\p{N}_.+#№-])[78]${GAP}\\(?[3489]\\d{2}\\)?${GAP}\\d{3}${GAP}\\d{2}${GAP}\\d{2}(?![\\p{L}\\p{N}_]|[.-]\\d)`,
    `(?<![\\p{L}\\p{N}_])\\(\\d{3,5}\\)[ \\u00a0]?(?:\\d{1,3}-\\d{2}-\\d{2}|\\d{3}-\\d{4})(?![\\p{L}\\p{N}]|-\\d)`,
  ].join("|"),
  "gu",
);

/** The placeholder for a number that is a phone number; otherwise the number. */
export function withoutPhoneNumber(value: number): number | string {
  if (!Number.isSafeInteger(value) || value < SMALLEST_PHONE || value > LARGEST_PHONE) return value;
  const text = String(value);
  return REDACTORS.phones(text) === text ? value : "[redacted:phone]";
}

/** Eleven digits. */
const SMALLEST_PHONE = 1e10;
const LARGEST_PHONE = 1e11;

function isPhone(found: string): boolean {
  const digits = found.replaceAll(/\D/g, "");
  // Eleven digits without separators are more often an id: of those, only mobile numbers are matched.
  return digits.length !== found.length || /^[78]9/.test(digits);
}
