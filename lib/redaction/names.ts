import { KEY } from "./secrets.ts";

/** Values under these names are secrets whatever they look like; of a name's words, these are the last. */
const SECRET_WORDS = [
  ...["password", "passwd", "pwd", "passphrase", "passcode", "secret", "token", "credential", "credentials"],
  ...[
    "authorization",
    "cookie",
    "cookies",
    "otp",
    "cvv",
    "cvc",
    "cvv2",
    "cvc2",
    "jwt",
    "пароль",
    "пароля",
    "паролем",
    "токен",
    "секрет",
  ],
].join("|");
const KEY_WORDS = "api|access|account|auth|encryption|master|private|secret|shared_access|signing|ssh|subscription";
const PASS_WORDS = "db|database|smtp|ftp|mail|user|sudo|root|admin|basic|auth|login";
const SECRET_NAME = new RegExp(
  `(?:^|_)(?:${SECRET_WORDS}|(?:${KEY_WORDS})_?key|(?:${PASS_WORDS})_?pass|(?:${SECRET_WORDS})_(?:\\d{1,2}|old|new|value|hash)|\\w+(?:password|passwd|secret|apikey|token))$|^pass$`,
);
/** Their number, or a place in a list. */
const NO_SECRET_NAME =
  /(?:^|_)(?:max|min|page|next|prev|previous|num|per|total|sync|cursor|continuation|resume|cancel|stop|eos|bos)_?tokens?$/;
const PASSWORD_NAME = /pass(?:word|wd|code|phrase)|pwd|otp$|cvv|cvc|парол/;
/** Most names have nothing of it. */
const MAYBE_SECRET = /pass|pwd|secret|token|credential|authorization|cookie|otp|cvv|cvc|jwt|key|парол|токен|секрет/i;

/** Whether what stands under a name is a secret: `db_password`, `dbPassword`, `X-Api-Key`. */
export function isSecretName(name: string): boolean {
  if (name.length > 100 || !MAYBE_SECRET.test(name)) return false;
  const words = wordsOf(name);
  return SECRET_NAME.test(words) && !NO_SECRET_NAME.test(words);
}

/** Whether it is one that may be a number. */
export function isPasswordName(name: string): boolean {
  return isSecretName(name) && PASSWORD_NAME.test(wordsOf(name));
}

function wordsOf(name: string): string {
  return name
    .replaceAll(/([a-z0-9])([A-Z])/g, "$1_$2")
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]+/gu, "_")
    .replaceAll(/^_|_$/g, "");
}

/** Whether a text looks as if somebody had made it up to be a secret: not a word, not a sentence. */
export function looksSecret(text: string): boolean {
  return /^(?:(?:basic|bearer|token|digest)\s+)?[^\s[]{4,4000}$/i.test(text) && /[\d!@#$%^&*=]/.test(text);
}

const NAME =
  "pass(?:word|wd|phrase|code)|pwd|secret|(?<!(?:max|min|page|next|num|per|total|sync|cursor)[_-]?)token|" +
  "credentials?|(?:api|access|account|encryption|master|private|secret|shared[_-]?access|signing)[_-]?key|парол(?:ь|я)|токен";
const AFTER_NAME = "(?:[_-]?\\d{1,2}|[_-](?:old|new|prod|dev|test|value|base64|b64|hex))?";
const ASSIGNED = new RegExp(
  `(${NAME})(${AFTER_NAME}\\\\{0,3}["']?\\s{0,4}([=:])\\s{0,4}\\\\{0,3}["']?)([^\\s"'\\\\,;&<>(){}[\\]]{3,500})`,
  "gi",
);
/** In quotes, which may be escaped as JSON in JSON is, anything may be a part of the value. */
const QUOTED = new RegExp(
  `((?:${NAME})${AFTER_NAME}["']?\\s{0,4}(?:=>|[=:])\\s{0,4}(["']))(?:\\\\.|(?!\\2)[^\\\\\\r\\n]){1,500}(?=\\2)`,
  "gi",
);
const ESCAPED = new RegExp(
  `((?:${NAME})${AFTER_NAME}(?:\\\\{1,7}["'])?\\s{0,4}[=:]\\s{0,4}(\\\\{1,7}["']))(?!\\\\)[^\\r\\n]{1,500}?(?=\\2)`,
  "gi",
);
const ELEMENT = new RegExp(`(<[\\w:-]{0,40}(?:${NAME})${AFTER_NAME}>)[^<>]{1,500}(?=</)`, "gi");
const ATTRIBUTES = /(\s(?:name|key|id)=")([\w.:-]{2,60})("[^<>"]{0,60}\svalue=")([^"<>]{3,500})/gi;
/** `password is …`, `пароль — …` and `--password …`: what follows has to have a digit or a sign. */
const SAID =
  /((?:pass(?:word|phrase|code)|парол(?:ь|ем|я))\s{1,3}(?:(?:is|was|to|это|:|=|—|–|-)\s{1,3})?["'«`]?|identified\s{1,3}by\s{1,3}["']|--?[a-z-]{0,20}(?:password|token|secret|api-key)\s{1,3}["']?|\s(?:-u|--user)\s{1,3}["']?[^\s:"']{1,100}:)([^\s"'«»`,;\\]{4,200})/gi;
const AUTHORIZATION =
  /(authorization\\{0,3}["']?\s{0,4}[=:,]\s{0,4}\\{0,3}["']?)((?:basic|bearer|token|digest|negotiate|apikey)\s{1,4})?([^\s"'\\,;[\]{}]{4,4000})/gi;
/** The value of a header of cookies: names and values to the line's end. */
const COOKIES = /((?:set-)?cookie\\{0,3}["']?\s{0,4}[:,]\s{0,4}\\{0,3}["']?)([\w.-]{1,100}=[^\r\n"'\\]{1,4000})/gi;
/** A name and its value beside each other, in JSON that stands in a text. */
const PAIRED =
  /(\\{0,3}"(?:name|key|header|field|k)\\{0,3}"\s{0,4}:\s{0,4}\\{0,3}"|\[\s{0,4}\\{0,3}")([\p{L}\w .-]{2,60})(\\{0,3}"\s{0,4},\s{0,4}(?:\\{0,3}"(?:value|val|content|v)\\{0,3}"\s{0,4}:\s{0,4})?\\{0,3}")([^"\\]{3,4000})/gu;
const BASIC = /(?<![\w-])(basic\s{1,4})([A-Za-z0-9+/]{6,2000}={0,2})(?![A-Za-z0-9+/=])/gi;

/** A text without what names in it tell to be secret: `password=…`, headers, options of commands. */
export function withoutNamed(text: string): string {
  const left = /basic/i.test(text) ? text.replace(BASIC, basic) : text;
  if (!MAYBE_SECRET.test(left) && !/\s-u\s|--user\s|identified\s/i.test(left)) return left;
  return left
    .replace(COOKIES, `$1${KEY}`)
    .replace(AUTHORIZATION, (all, before: string, scheme: string | undefined, value: string) =>
      scheme !== undefined || /\d/.test(value) ? `${before}${scheme ?? ""}${KEY}` : all,
    )
    .replace(QUOTED, `$1${KEY}`)
    .replace(ESCAPED, `$1${KEY}`)
    .replace(ELEMENT, `$1${KEY}`)
    .replace(ATTRIBUTES, (all, before: string, name: string, between: string) =>
      isSecretName(name) ? `${before}${name}${between}${KEY}` : all,
    )
    .replace(PAIRED, (all, before: string, name: string, between: string, value: string) =>
      isSecretName(name) && looksSecret(value) ? `${before}${name}${between}${KEY}` : all,
    )
    .replace(ASSIGNED, assigned)
    .replace(SAID, (all, before: string, value: string) =>
      /\d/.test(value) && /[\p{L}!@#$%^&*]/u.test(value) && !value.includes(KEY) ? `${before}${KEY}` : all,
    );
}

/** After a colon plain words may follow, as in "Secret: nobody knows". */
function assigned(all: string, name: string, between: string, sign: string, value: string): string {
  const isPlain = sign === ":" && !between.includes('"') && !/\d/.test(value) && !/^[pп]/i.test(name);
  return isPlain ? all : `${name}${between}${KEY}`;
}

/** A name and a password in base64; "basic" is a word, too. */
function basic(all: string, before: string, value: string): string {
  try {
    return /^[\x20-\x7e\x80-\xff]{0,500}:/.test(atob(value)) ? `${before}${KEY}` : all;
  } catch {
    // It is no base64.
    return all;
  }
}
