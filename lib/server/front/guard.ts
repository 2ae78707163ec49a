import type { IncomingHttpHeaders } from "node:http";
import { isLoopback } from "./loopback.ts";
import type { From } from "./proxies.ts";

/** Why a request is rejected before it is processed. */
export interface Refusal {
  code: "foreign_host" | "foreign_origin";
  detail: string;
}

export type Guard = (
  request: { method?: string | undefined; headers: IncomingHttpHeaders },
  from: Pick<From, "protocol">,
) => Refusal | null;

interface Settings {
  host: string;
  allowedHosts: string[];
  /** The public address of this server, or null. */
  publicUrl: string | null;
}

/** Safe methods, which pages of other sites may send: they cannot read the responses. */
const READING = new Set(["GET", "HEAD"]);

/**
 * Creates the Host and Origin check. A request must have one of our host names, on any port, to prevent DNS rebinding;
 * and pages of other sites must not write.
 */
export function createGuard({ host, allowedHosts, publicUrl }: Settings): Guard {
  const own = new Set(["localhost", "127.0.0.1", "[::1]", bracketed(host.toLowerCase()), ...allowedHosts]);
  const publicSite = publicUrl === null ? null : new URL(publicUrl);

  return ({ method = "GET", headers }, { protocol }) => {
    const addressed = parseHost(headers.host ?? "");
    if (!addressed || !own.has(addressed.name)) {
      return {
        code: "foreign_host",
        detail: `The host ${headers.host ?? "(none)"} is not allowed; if it is a name of this server, add it to OBELUS_ALLOWED_HOSTS.`,
      };
    }
    if (READING.has(method) || headers.origin === undefined || isOwnOrigin(headers.origin, addressed, protocol))
      return null;
    return {
      code: "foreign_origin",
      detail: `A page of ${headers.origin} may not write here; only ${publicSite === null ? "this server's own pages" : `pages of ${publicSite.origin}`} may.`,
    };
  };

  /** Whether it is a page of ours, by scheme, name and port. */
  function isOwnOrigin(origin: string, addressed: Host, protocol: From["protocol"]): boolean {
    const from = URL.parse(origin);
    if (from === null || from.origin !== origin.toLowerCase() || !/^https?:$/.test(from.protocol)) return false;
    if (publicSite !== null) return from.origin === publicSite.origin || isReachedHere(from, addressed, protocol);
    if (!own.has(from.hostname) || (protocol !== null && from.protocol !== `${protocol}:`)) return false;
    const reached = URL.parse(`${from.protocol}//${addressed.name}:${addressed.port}`);
    // A proxy that forwards another host name does not tell the port: it is the scheme's default.
    const isBehindProxy = allowedHosts.includes(from.hostname) && addressed.name !== from.hostname;
    return from.port === (isBehindProxy ? "" : reached?.port);
  }
}

/**
 * Whether the page was opened directly, on this machine or through a tunnel, without the proxy: the origin equals the
 * requested address, and no trusted proxy forwarded the request.
 */
function isReachedHere(from: URL, { name, port }: Host, protocol: From["protocol"]): boolean {
  const reached = URL.parse(`http://${name}:${port}`);
  return protocol === null && isLoopback(from.hostname) && from.origin === reached?.origin;
}

interface Host {
  name: string;
  port: string;
}

function parseHost(host: string): Host | null {
  const match = /^(\[[0-9a-f:.]+\]|[^:[\]/@\s]+)(?::(\d{1,5}))?$/i.exec(host);
  return match?.[1] ? { name: match[1].toLowerCase(), port: match[2] ?? "" } : null;
}

function bracketed(host: string): string {
  return host.includes(":") ? `[${host}]` : host;
}
