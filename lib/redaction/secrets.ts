import { GITLEAKS_RULES, type SecretRule } from "./gitleaks.ts";

/** The placeholder of a secret. */
export const KEY = "[redacted:key]";

/**
 * Secrets that gitleaks' rules do not cover, or only in one length. They start at word boundaries and have a maximum
 * length, so that matching is linear.
 */
const OWN_RULES: readonly SecretRule[] = [
  own("sk", String.raw`(?<![\w-])sk-[\w-]{16,200}`, ["sk-"]),
  // Shorter ones have digits and letters, and no hyphen: others are words.
  own("sk-short", String.raw`(?<![\w-])sk-(?=[A-Za-z]{0,14}\d)(?=\d{0,14}[A-Za-z])[A-Za-z0-9]{8,15}(?![\w-])`, ["sk-"]),
  own("stripe", String.raw`(?<![\w-])(?:sk|rk|pk)_(?:live|test)_\w{10,200}`, ["k_live_", "k_test_"]),
  own("obelus", String.raw`(?<![\w-])obl_[\w-]{16,200}`, ["obl_"]),
  own("webhook", String.raw`(?<![\w-])whsec_[\w+/-]{16,200}={0,2}`, ["whsec_"]),
  own("aws", String.raw`(?<![\w-])(?:AKIA|ASIA)[0-9A-Z]{16}(?!\w)`, ["akia", "asia"]),
  own("github", String.raw`(?<![\w-])(?:gh[pousr]_\w{20,255}|github_pat_\w{20,255})`, [
    ...["ghp_", "gho_", "ghu_", "ghs_", "ghr_"],
    "github_pat_",
  ]),
  own("gitlab", String.raw`(?<![\w-])glpat-[\w-]{20,100}`, ["glpat-"]),
  own("slack", String.raw`(?<![\w-])(?:xox[abeoprs]|xapp)-[\w-]{10,250}`, ["xox", "xapp-"]),
  own("slack-webhook", String.raw`(hooks\.slack(?:-gov)?\.com/(?:services|workflows|triggers)/)[\w/-]{16,200}`, [
    "hooks.slack",
  ]),
  own("discord-webhook", String.raw`(discord(?:app)?\.com/api/webhooks/\d{1,24}/)[\w-]{40,100}`, ["api/webhooks/"]),
  own("google-key", String.raw`(?<![\w-])AIza[\w-]{35}(?![\w-])`, ["aiza"]),
  own("google-token", String.raw`(?<![\w-])(?:ya29\.[\w.-]{16,2000}|1//0[\w-]{30,500}|GOCSPX-[\w-]{20,60})`, [
    ...["ya29.", "1//0", "gocspx-"],
  ]),
  own("atlassian", String.raw`(?<![\w-])ATATT3[\w=-]{60,300}`, ["atatt3"]),
  own("models", String.raw`(?<![\w-])(?:gsk_|xai-|r8_|nvapi-|hf_|pypi-AgE|sbp_|dckr_pat_|figd_)[\w-]{26,400}`, [
    ...["gsk_", "xai-", "r8_", "nvapi-", "hf_", "pypi-age", "sbp_", "dckr_pat_", "figd_"],
  ]),
  own("npm", String.raw`(?<![\w-])npm_[A-Za-z0-9]{30,100}`, ["npm_"]),
  own("sendgrid", String.raw`(?<![\w-])SG\.[\w-]{16,64}\.[\w-]{16,100}`, ["sg."]),
  own(
    "russian",
    String.raw`(?<![\w-])(?:y[0-3]_[\w-]{40,100}|vk1\.a\.[\w-]{40,500}|t1\.[\w-]{60,400}\.[\w-]{60,120})`,
    [...["y0_", "y1_", "y2_", "y3_", "vk1.a.", "t1."]],
  ),
  own("jwt", String.raw`(?<![\w-])eyJ[\w-]{8,4000}\.[\w-]{8,4000}\.[\w-]{0,4000}`, ["eyj"]),
  // In plain text, words after "Bearer" contain no digit.
  own("bearer", String.raw`(?<!\w)(bearer\s{1,4})(?=[^\s\d]{0,200}\d)[\w.~+/=-]{8,4000}`, ["bearer"], "gi"),
  // A webhook's secret in the URL of a Bitrix24 portal.
  own("bitrix24", String.raw`(/rest/\d{1,12}/)[A-Za-z0-9]{8,64}(?![A-Za-z0-9])`, ["/rest/"]),
  // A bot token, also in a URL of the Bot API.
  own("telegram", String.raw`(?<!\d)\d{6,12}:AA[\w-]{28,62}(?![\w-])`, [":aa"]),
  // The password in a URL, up to the last @ before the path.
  own("address", String.raw`(://[^\s:@/?#"'<>\\]{0,200}:)[^\s/"'<>\\]{1,200}(?=@)`, ["://"]),
  // A token in a URL without a name; names have fewer digits.
  own(
    "userinfo",
    String.raw`(://)(?=[^@/]{0,200}\d[^@/]{0,200}\d)(?=[^@/]{0,200}[a-z])[\w.~-]{16,400}(?=@)`,
    ["://"],
    "gi",
  ),
  // A signed URL grants access.
  own(
    "signature",
    String.raw`([?&;,\s](?:sig|signature|x-(?:amz|goog)-(?:signature|security-token))=)[^\s&"'<>\\;]{16,4000}`,
    ["sig=", "signature=", "security-token="],
    "gi",
  ),
];

function own(id: string, pattern: string, keywords: readonly string[], flags = "g"): SecretRule {
  return { id, pattern, flags, keywords, entropy: 0 };
}

interface Search {
  shape: RegExp;
  entropy: number;
}

const RULES = [...OWN_RULES, ...GITLEAKS_RULES].map(({ pattern, flags, keywords, entropy }) => ({
  keywords,
  search: { shape: new RegExp(pattern, flags), entropy } satisfies Search,
}));

const ALWAYS = RULES.filter(({ keywords }) => keywords.length === 0).map(({ search }) => search);

/**
 * Patterns by keyword, including those of keywords that are prefixes of it: only the longest is found at a position.
 */
const SEARCHES: ReadonlyMap<string, readonly Search[]> = new Map(
  [...new Set(RULES.flatMap(({ keywords }) => keywords))].map((keyword) => [
    keyword,
    RULES.filter(({ keywords }) => keywords.some((other) => keyword.startsWith(other))).map(({ search }) => search),
  ]),
);

const ANY_KEYWORD = [...SEARCHES.keys()]
  .sort((a, b) => b.length - a.length)
  .map((keyword) => keyword.replaceAll(/[.*+?^${}()|[\]\\/]/g, "\\$&"))
  .join("|");
const HAS_KEYWORD = new RegExp(ANY_KEYWORD, "i");
/** Matches no characters, so that keywords may overlap. */
const EACH_KEYWORD = new RegExp(`(?=(${ANY_KEYWORD}))`, "gi");

/** Removes secrets that are recognized by their shape. */
export function withoutSecrets(text: string): string {
  return searchesIn(text).reduce(
    (left, { shape, entropy }) => left.replace(shape, (found, before) => put(found, before, entropy)),
    withoutKeyBlocks(text),
  );
}

/** Most texts have none of the keywords. */
function searchesIn(text: string): readonly Search[] {
  if (!HAS_KEYWORD.test(text)) return ALWAYS;
  const keywords = new Set<string>();
  for (const [, keyword = ""] of text.matchAll(EACH_KEYWORD)) keywords.add(keyword.toLowerCase());
  return [...new Set([...ALWAYS, ...[...keywords].flatMap((keyword) => SEARCHES.get(keyword) ?? [])])];
}

function put(found: string, before: unknown, entropy: number): string {
  const kept = typeof before === "string" ? before : "";
  return entropy > 0 && entropyOf(found.slice(kept.length)) < entropy ? found : `${kept}${KEY}`;
}

/** Shannon entropy per character, as in gitleaks. */
function entropyOf(text: string): number {
  const counts = new Map<string, number>();
  for (const char of text) counts.set(char, (counts.get(char) ?? 0) + 1);
  let bits = 0;
  for (const count of counts.values()) bits -= (count / text.length) * Math.log2(count / text.length);
  return bits;
}

const BEGIN = "-----BEGIN ";
const END = /-----END [A-Z ]{0,40}-----/g;

/** Private key blocks; without an end marker, to the end of the text. */
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
