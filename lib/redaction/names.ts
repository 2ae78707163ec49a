import { KEY } from "./secrets.ts";

/** Values under these names are secrets, whatever their form; they are the last words of a name. */
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
/** A count of secrets, or an index. */
const NO_SECRET_NAME =
  /(?:^|_)(?:max|min|page|next|prev|previous|num|per|total|sync|cursor|continuation|resume|cancel|stop|eos|bos)_?tokens?$/;
const PASSWORD_NAME = /pass(?:word|wd|code|phrase)|pass$|pwd|otp(?:_code)?$|cvv|cvc|парол/;
/** Values under them may be text, or names of secrets. */
const SECRETS_NAME = /(?:^|_)(?:tokens|secrets|(?:api|access)_?keys)$/;
/** Values under them are secrets if they have the digits of one: "pin" has other meanings. */
const PIN_NAME = /(?:^|_)(?:pin|пин)(?:_?(?:code|код))?$/;
/** A fast pre-filter: most names have none of these. */
const MAYBE_SECRET =
  /pass|pwd|secret|token|credential|authorization|cookie|sessid|jsession|otp|cvv|cvc|jwt|key|pin|парол|токен|секрет|пин/i;

/** Which values under a name are secrets. */
export type Secrecy =
  /** All strings; numbers too, for a `password`. */
  | "secret"
  | "password"
  /** Values with the digits of a PIN. */
  | "pin"
  /** Values that look random. */
  | "secrets";

/** Whether values under a name are secrets, `db_password`, `dbPassword`, `X-Api-Key`; null if not. */
export function secrecyOf(name: string): Secrecy | null {
  if (name.length > 100 || !MAYBE_SECRET.test(name)) return null;
  const words = wordsOf(name);
  if (NO_SECRET_NAME.test(words)) return null;
  if (SECRET_NAME.test(words)) return PASSWORD_NAME.test(words) ? "password" : "secret";
  if (PIN_NAME.test(words)) return "pin";
  return SECRETS_NAME.test(words) ? "secrets" : null;
}

/** Whether everything under a name is secret. */
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

/** Whether a text looks like a generated secret: not a word, not a sentence. */
export function looksSecret(text: string): boolean {
  return /^(?:(?:basic|bearer|token|digest)\s+)?[^\s[]{4,4000}$/i.test(text) && /[\d!@#$%^&*=]/.test(text);
}

/** Whether it also looks so in places where tokens of a text are listed. */
export function looksMadeUp(text: string): boolean {
  return /^[^\s[]{8,4000}$/.test(text) && /\d/.test(text) && /\p{L}/u.test(text);
}

/** Whether a string or a number has the digits of a PIN. */
export function isPin(value: string | number): boolean {
  return /^\d{4,8}$/.test(String(value));
}

/** Whether a name and the value beside it, as in `{"name": "X-Api-Key", "value": …}`, are a secret's. */
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
/** A quoted value may contain anything; quotes may be escaped as in JSON within JSON. */
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
/** `password is …`, `пароль — …` and `--password …`: the value must contain a digit or a symbol. */
const SAID =
  /((?:pass(?:word|phrase|code)|парол(?:ь|ем|я))\s{1,3}(?:(?:is|was|to|это|:|=|—|–|-)\s{1,3})?["'«`]?|identified\s{1,3}by\s{1,3}["']|--?[a-z-]{0,20}(?:password|token|secret|api-key)\s{1,3}["']?|\s(?:-u|--user)\s{1,3}["']?[^\s:"']{1,100}:)([^\s"'«»`,;\\]{4,200})/gi;
const AUTHORIZATION =
  /(authorization\\{0,3}["']?\s{0,4}[=:,]\s{0,4}\\{0,3}["']?)((?:basic|bearer|token|digest|negotiate|apikey)\s{1,4})?([^\s"'\\,;[\]{}]{4,4000})/gi;
/** The value of a cookie header, to the line's end. */
const COOKIES = /((?:set-)?cookie\\{0,3}["']?\s{0,4}[:,]\s{0,4}\\{0,3}["']?)([\w.-]{1,100}=[^\r\n"'\\]{1,4000})/gi;
/** `PASS=…`, which may also count passed tests. */
const PASS =
  /((?<![\p{L}\p{N}_-])pass\s{0,2}(?:(=)|:)\s{0,2})(?=[^\s"'\\,;]{0,200}\p{L})(?=[^\s"'\\,;]{0,200}[\d!@#$^&*])([^\s"'\\,;%/(){}[\]]{4,200})/giu;
/** `ENV DB_PASS …` in a Dockerfile. */
const ENVIRONMENT = /((?:^|\s)(?:ENV|ARG)\s{1,4}([A-Z][A-Z\d_]{1,60})[ =]\s{0,4})([^\s[]{1,500})/g;
/** Programs with a short option for a password. */
const OPTION =
  /((?<![\w-])(?:(?:mysql|mariadb)[\w-]{0,20}(?=[^\r\n;|]{0,300}\s-p\S)[^\r\n;|]{0,300}?\s-p|sshpass\s{1,4}-p\s{0,4}|redis-cli(?=[^\r\n;|]{0,300}\s-a\s)[^\r\n;|]{0,300}?\s-a\s{1,4}))("[^"\r\n]{1,200}"|'[^'\r\n]{1,200}'|[^\s"'\\;|[]{1,200})/g;
const SESSION =
  /((?:JSESSIONID|PHPSESSID|ASPSESSIONID[A-Z]{0,20}|ASP\.NET_SessionId|connect\.sid)=)[\w%.:+/-]{8,500}/gi;
/** A card's security code, a one-time code, a PIN: digits after their name. */
const CODE =
  /(?<![\p{L}\p{N}_-])((?:(?:cv[vc]2?|otp|код из (?:смс|sms))(?:[ _-]?(?:code|код))?\\{0,3}["']?\s{0,3}(?:[:=—–-]|is|это)?|(?:pin|пин)(?:[ _-]?(?:code|код))?(?:\s{1,3}карты)?\\{0,3}["']?\s{0,3}(?:[:=—–]|is|это))\s{0,3}\\{0,3}["']?)\d{3,8}(?![\p{L}\p{N}_]|[.-]\d)/giu;
/** Adjacent names and values, in JSON within a text. */
const PAIRED =
  /(\\{0,3}"(?:[nN]ame|[kK]ey|[hH]eader|[fF]ield|k)\\{0,3}"\s{0,4}:\s{0,4}\\{0,3}"|\[\s{0,4}\\{0,3}")([\p{L}\w .-]{2,60})(\\{0,3}"\s{0,4},\s{0,4}(?:\\{0,3}"(?:[vV]alue|[vV]al|content|v)\\{0,3}"\s{0,4}:\s{0,4})?\\{0,3}")([^"\\]{1,4000})/gu;
const BASIC = /(?<![\w-])(basic\s{1,4})([A-Za-z0-9+/]{6,2000}={0,2})(?![A-Za-z0-9+/=])/gi;

/** Whether the value is preceded by a name, too: other adjacent names are a list. */
function isNamed(between: string): boolean {
  return /[vV]al|"v/.test(between);
}

/** A fast pre-filter: most texts have none of these. */
const MAYBE_NAMED =
  /pass|pwd|secret|token|credential|authorization|cookie|jwt|key|парол|токен|секрет|\s-u\s|--user\s|identified\s|sess(?:ion)?id|connect\.sid|mysql|mariadb|redis-cli/i;
const MAYBE_CODE = /(?:otp|cv[vc]2?|pin|пин|код)[^\p{L}\p{N}]/iu;

/** Removes secrets that are recognized by their names: `password=…`, headers, command line options. */
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

/** After a colon there may be plain words, as in "Secret: nobody knows". */
function assigned(all: string, name: string, between: string, sign: string, value: string): string {
  const isPlain = sign === ":" && !between.includes('"') && !/\d/.test(value) && !/^[pп]/i.test(name);
  // Arrows are also used between pages.
  const leads = sign.length > 1 && sign !== ":=" && !/[\d!@#$^&*]/.test(value);
  return isPlain || leads ? all : `${name}${between}${KEY}`;
}

/** A name and a password in base64; "basic" is also an ordinary word. */
function basic(all: string, before: string, value: string): string {
  try {
    return /^[\x20-\x7e\x80-\xff]{0,500}:/.test(atob(value)) ? `${before}${KEY}` : all;
  } catch {
    // Not base64.
    return all;
  }
}
