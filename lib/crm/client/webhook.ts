/** An inbound webhook: where a portal's REST interface is, with the secret that opens it. */
export interface Webhook {
  /** Host and port, for sentences. */
  host: string;
  addressOf(method: string): URL;
  /** The text without the secret, whoever put it there. */
  hide(text: string): string;
}

/** The address is not one of a webhook. The message says what to do, and never repeats the address. */
export class InvalidWebhook extends Error {
  constructor(fault: string) {
    super(`The address of the Bitrix24 webhook ${fault}`);
    this.name = "InvalidWebhook";
  }
}

/** `/rest/<the user it acts as>/<secret>/` */
const PATH = /^\/rest\/\d+\/([^/]+)\/?$/;
const LOOPBACK = new Set(["localhost", "127.0.0.1", "[::1]"]);
const EXAMPLE =
  "must look like https://example.bitrix24.com/rest/1/<secret>/; copy it from Developer resources → Inbound webhook";

/**
 * What keeps an address from being a webhook's: null, or words that follow its name. They never repeat the address,
 * which holds the secret.
 */
export function webhookFault(address: string): string | null {
  const url = URL.parse(address);
  if (!url || !/^https?:$/.test(url.protocol) || !PATH.test(url.pathname)) return EXAMPLE;
  if (url.username !== "" || url.search !== "" || url.hash !== "") return `${EXAMPLE}, without anything after it`;
  if (url.protocol === "http:" && !LOOPBACK.has(url.hostname))
    return "must start with https://, because it contains a secret";
  return null;
}

/** Takes a webhook's address apart. Throws `InvalidWebhook`. */
export function readWebhook(address: string): Webhook {
  const fault = webhookFault(address);
  if (fault !== null) throw new InvalidWebhook(fault);
  const url = new URL(address);
  const [, secret = ""] = PATH.exec(url.pathname) ?? [];
  const base = url.href.replace(/\/?$/, "/");
  return {
    host: url.host,
    addressOf: (method) => new URL(`${encodeURIComponent(method)}.json`, base),
    hide: (text) => text.replaceAll(secret, "[secret]"),
  };
}
