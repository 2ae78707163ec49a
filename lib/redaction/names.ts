import { KEY } from "./secrets.ts";

/** Values under these names are secrets whatever they look like; of a name's words, these are the last. */
const SECRET_WORDS = [
  ...[
    "password",
    "passwords",
    "passwd",
    "pwd",
    "passphrase",
    "passcode",
    "secret",
    "token",
    "credential",
    "credentials",
  ],
  ...["authorization", "cookie", "cookies", "jsessionid", "phpsessid", "otp", "cvv", "cvc", "cvv2", "cvc2", "jwt"],
  ...["пароль", "пароля", "паролем", "пароли", "токен", "секрет"],
].join("|");
const KEY_WORDS = "api|access|account|auth|encryption|master|private|secret|shared_access|signing|ssh|subscription";
const PASS_WORDS =
  "db|database|mysql|pg|postgres|mongo|redis|rabbitmq|smtp|ftp|mail|user|sudo|root|admin|basic|auth|login|proxy|vpn|wifi";
const SECRET_NAME = new RegExp(
  `(?:^|_)(?:${SECRET_WORDS}|(?:${KEY_WORDS})_?key(?:_base)?|(?:${PASS_WORDS})_?pass|otp_code|(?:${SECRET_WORDS})_(?:\\d{1,2}|old|new|value|hash)|\\w+(?:password|passwd|secret|apikey|token))$|^pass$`,
);
/** Their number, or a place in a list. */
const NO_SECRET_NAME =
  /(?:^|_)(?:max|min|page|next|prev|previous|num|per|total|sync|cursor|continuation|resume|cancel|stop|eos|bos)_?tokens?$/;
const PASSWORD_NAME = /pass(?:word|wd|code|phrase)|pass$|pwd|otp(?:_code)?$|cvv|cvc|парол/;
/** What stands under them may be words of a text, or what secrets are called. */
const SECRETS_NAME = /(?:^|_)(?:tokens|secrets|(?:api|access)_?keys)$/;
/** What stands under them is a secret where it has the digits of one: other things are pinned, too. */
const PIN_NAME = /(?:^|_)(?:pin|пин)(?:_?(?:code|код))?$/;
/** Most names have nothing of it. */
const MAYBE_SECRET =
  /pass|pwd|secret|token|credential|authorization|cookie|sessid|jsession|otp|cvv|cvc|jwt|key|pin|парол|токен|секрет|пин/i;

/** How much of what stands under a name is a secret. */
export type Secrecy =
  /** All texts; the numbers too, where it is a `password`. */
  | "secret"
  | "password"
  /** What has the digits of a PIN. */
  | "pin"
  /** What looks as if somebody had made it up to be a secret. */
  | "secrets";

/** Whether what stands under a name is a secret, `db_password`, `dbPassword`, `X-Api-Key`; null where it is none. */
export function secrecyOf(name: string): Secrecy | null {
  if (name.length > 100 || !MAYBE_SECRET.test(name)) return null;
  const words = wordsOf(name);
  if (NO_SECRET_NAME.test(words)) return null;
  if (SECRET_NAME.test(words)) return PASSWORD_NAME.test(words) ? "password" : "secret";
  if (PIN_NAME.test(words)) return "pin";
  return SECRETS_NAME.test(words) ? "secrets" : null;
}

/** Whether all that stands under a name is a secret. */
function isSecretName(name: string): boolean {
  const secrecy = secrecyOf(name);
  return secrecy === "secret" || secrecy === "password";
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

/** Whether it looks so also where words stand that are none, as the tokens of a text. */
export function looksMadeUp(text: string): boolean {
  return /^[^\s[]{8,4000}$/.test(text) && /\d/.test(text) && /\p{L}/u.test(text);
}

/** Whether a text or a number has the digits of a PIN. */
export function isPin(value: string | number): boolean {
  return /^\d{4,8}$/.test(String(value));
}

/** Whether a name and the text beside it, as in `{"name": "X-Api-Key", "value": …}`, are one of a secret. */
export function isSecretPair(name: string, value: string): boolean {
  switch (secrecyOf(name)) {
    case "password":
      return /^[^\s[]{1,4000}$/.test(value);
    case "secret":
      return looksSecret(value);
    case "pin":
      return isPin(value);
    default:
      return false;
  }
}

const NAME =
  `pass(?:word|wd|phrase|code|(?<=(?<![a-z0-9])(?:${PASS_WORDS})[_-]?pass))|` +
  "pwd|secret|(?<!(?:max|min|page|next|num|per|total|sync|cursor)[_-]?)token|" +
  "credentials?|(?:api|access|account|encryption|master|private|secret|shared[_-]?access|signing)[_-]?key|парол(?:ь|я)|токен";
const AFTER_NAME = "(?:[_-]?\\d{1,2}|[_-](?:old|new|prod|dev|test|value|base64|base|b64|hex))?";
const SIGN = "=>|->|:=|→|[=:]";
const ASSIGNED = new RegExp(
  `(${NAME})(${AFTER_NAME}\\\\{0,3}["']?\\s{0,4}(${SIGN})\\s{0,4}\\\\{0,3}["']?)([^\\s"'\\\\,;&<>(){}[\\]]{3,500})`,
  "gi",
);
/** In quotes, which may be escaped as JSON in JSON is, anything may be a part of the value. */
const QUOTED = new RegExp(
  `((?:${NAME})${AFTER_NAME}["']?\\s{0,4}(?:${SIGN})\\s{0,4}(["']))(?:\\\\.|(?!\\2)[^\\\\\\r\\n]){1,500}(?=\\2)`,
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
/** `PASS=…`, which may also count what passed. */
const PASS =
  /((?<![\p{L}\p{N}_-])pass\s{0,2}(?:(=)|:)\s{0,2})(?=[^\s"'\\,;]{0,200}\p{L})(?=[^\s"'\\,;]{0,200}[\d!@#$^&*])([^\s"'\\,;%/(){}[\]]{4,200})/giu;
/** `ENV DB_PASS …` in a Dockerfile. */
const ENVIRONMENT = /((?:^|\s)(?:ENV|ARG)\s{1,4}([A-Z][A-Z\d_]{1,60})[ =]\s{0,4})([^\s[]{1,500})/g;
/** Programs that take a password as a short option. */
const OPTION =
  /((?<![\w-])(?:(?:mysql|mariadb)[\w-]{0,20}(?=[^\r\n;|]{0,300}\s-p\S)[^\r\n;|]{0,300}?\s-p|sshpass\s{1,4}-p\s{0,4}|redis-cli(?=[^\r\n;|]{0,300}\s-a\s)[^\r\n;|]{0,300}?\s-a\s{1,4}))("[^"\r\n]{1,200}"|'[^'\r\n]{1,200}'|[^\s"'\\;|[]{1,200})/g;
const SESSION =
  /((?:JSESSIONID|PHPSESSID|ASPSESSIONID[A-Z]{0,20}|ASP\.NET_SessionId|connect\.sid)=)[\w%.:+/-]{8,500}/gi;
/** The code of a card, one that was sent to be used once, a PIN: digits behind their name. */
const CODE =
  /(?<![\p{L}\p{N}_-])((?:(?:cv[vc]2?|otp|код из (?:смс|sms))(?:[ _-]?(?:code|код))?\\{0,3}["']?\s{0,3}(?:[:=—–-]|is|это)?|(?:pin|пин)(?:[ _-]?(?:code|код))?(?:\s{1,3}карты)?\\{0,3}["']?\s{0,3}(?:[:=—–]|is|это))\s{0,3}\\{0,3}["']?)\d{3,8}(?![\p{L}\p{N}_]|[.-]\d)/giu;
/** A name and its value beside each other, in JSON that stands in a text. */
const PAIRED =
  /(\\{0,3}"(?:[nN]ame|[kK]ey|[hH]eader|[fF]ield|k)\\{0,3}"\s{0,4}:\s{0,4}\\{0,3}"|\[\s{0,4}\\{0,3}")([\p{L}\w .-]{2,60})(\\{0,3}"\s{0,4},\s{0,4}(?:\\{0,3}"(?:[vV]alue|[vV]al|content|v)\\{0,3}"\s{0,4}:\s{0,4})?\\{0,3}")([^"\\]{1,4000})/gu;
const BASIC = /(?<![\w-])(basic\s{1,4})([A-Za-z0-9+/]{6,2000}={0,2})(?![A-Za-z0-9+/=])/gi;

/** Whether a name stands before the value, too: other names beside each other are a list of them. */
function isNamed(between: string): boolean {
  return /[vV]al|"v/.test(between);
}

/** Most texts have nothing of it. */
const MAYBE_NAMED =
  /pass|pwd|secret|token|credential|authorization|cookie|jwt|key|парол|токен|секрет|\s-u\s|--user\s|identified\s|sess(?:ion)?id|connect\.sid|mysql|mariadb|redis-cli/i;
const MAYBE_CODE = /(?:otp|cv[vc]2?|pin|пин|код)[^\p{L}\p{N}]/iu;

/** A text without what names in it tell to be secret: `password=…`, headers, options of commands. */
export function withoutNamed(text: string): string {
  let left = /basic/i.test(text) ? text.replace(BASIC, basic) : text;
  if (MAYBE_CODE.test(left)) left = left.replace(CODE, `$1${KEY}`);
  return MAYBE_NAMED.test(left) ? withoutValues(left) : left;
}

function withoutValues(text: string): string {
  return text
    .replace(SESSION, `$1${KEY}`)
    .replace(OPTION, `$1${KEY}`)
    .replace(PASS, (all, before: string, isAssigned: string | undefined, value: string) =>
      isAssigned || /[!@#$^&*]/.test(value) ? `${before}${KEY}` : all,
    )
    .replace(ENVIRONMENT, (all, before: string, name: string) => (isSecretName(name) ? `${before}${KEY}` : all))
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
      (isNamed(between) ? isSecretPair(name, value) : isSecretName(name) && looksSecret(value))
        ? `${before}${name}${between}${KEY}`
        : all,
    )
    .replace(ASSIGNED, assigned)
    .replace(SAID, (all, before: string, value: string) =>
      /\d/.test(value) && /[\p{L}!@#$%^&*]/u.test(value) && !value.includes(KEY) ? `${before}${KEY}` : all,
    );
}

/** After a colon plain words may follow, as in "Secret: nobody knows". */
function assigned(all: string, name: string, between: string, sign: string, value: string): string {
  const isPlain = sign === ":" && !between.includes('"') && !/\d/.test(value) && !/^[pп]/i.test(name);
  // Arrows also lead from one page to the next.
  const leads = sign.length > 1 && sign !== ":=" && !/[\d!@#$^&*]/.test(value);
  return isPlain || leads ? all : `${name}${between}${KEY}`;
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
