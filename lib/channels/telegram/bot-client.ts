import type { ApiClientOptions } from "grammy";
import type { OpenEgress } from "../../outgoing/egress.ts";
import { LONGEST_BODY } from "../../outgoing/fetch.ts";

/** The timeout of a request. */
const TIMEOUT_S = 30;

/** The options for the Bot API at this address. */
export function optionsOf(apiRoot: string, openEgress: OpenEgress): ApiClientOptions {
  const { host, protocol } = new URL(apiRoot);
  const { http, https } = openEgress({ hosts: [host] }).kept;
  return {
    apiRoot: apiRoot.replace(/\/+$/, ""),
    timeoutSeconds: TIMEOUT_S,
    baseFetchConfig: { compress: true, size: LONGEST_BODY, agent: protocol === "https:" ? https : http },
  };
}
