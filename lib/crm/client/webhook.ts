/** An inbound webhook: the address of a portal's REST API, with its secret. */
export interface Webhook {
  /** Host and port, for messages. */
  host: string;
  addressOf(method: string): URL;
  /** The text without the secret. */
  hide(text: string): string;
}

/** The address is not a webhook's. The message has a remedy, and never contains the address. */
export class InvalidWebhook extends Error {
  constructor(fault: string) {
    super(`The address of the Bitrix24 webhook ${fault}`);
    this.name = "InvalidWebhook";
  }
}

/** `/rest/<user id>/<secret>/` */
const PATH = /^\/rest\/\d+\/([^/]+)\/?$/;
const LOOPBACK = new Set(["localhost", "127.0.0.1", "[::1]"]);
const EXAMPLE =
  "must look like https://example.bitrix24.com/rest/1/<secret>/; copy it from Developer resources → Inbound webhook";

/**
 * Why an address is not a webhook's, in words that follow its name; null if it is one. Never contains the address,
 * which has the secret.
 */
export function webhookFault(address: string): string | null {
  const url = URL.parse(address);
  if (!url || !/^https?:$/.test(url.protocol) || !PATH.test(url.pathname)) return EXAMPLE;
  if (url.username !== "" || url.search !== "" || url.hash !== "") return `${EXAMPLE}, without anything after it`;
  if (url.protocol === "http:" && !LOOPBACK.has(url.hostname))
    return "must start with https://, because it contains a secret";
  return null;
}

/** Parses a webhook's address. Throws `InvalidWebhook`. */
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
