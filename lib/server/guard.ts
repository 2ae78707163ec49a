import type { IncomingHttpHeaders } from "node:http";

/** Why a request is turned away before anything looks at it. */
export interface Refusal {
  code: "foreign_host" | "foreign_origin";
  detail: string;
}

export type Guard = (request: { method?: string | undefined; headers: IncomingHttpHeaders }) => Refusal | null;

/** Methods that change nothing, so that a page of another site may cause them: it cannot read the answers. */
const READING = new Set(["GET", "HEAD"]);

/**
 * Makes the check at the front of the server. A request must be addressed to a name of ours, on any port, so that a
 * foreign name pointed at this machine (DNS rebinding) gets nothing; and a page of another site must not write.
 */
export function createGuard({ host, allowedHosts }: { host: string; allowedHosts: string[] }): Guard {
  const own = new Set(["localhost", "127.0.0.1", "[::1]", bracketed(host.toLowerCase()), ...allowedHosts]);

  return ({ method = "GET", headers }) => {
    const addressed = parseHost(headers.host ?? "");
    if (!addressed || !own.has(addressed.name)) {
      return {
        code: "foreign_host",
        detail: `The request is addressed to ${headers.host ?? "no host"}, which is not a name of this server; add it to OBELUS_ALLOWED_HOSTS if it should be.`,
      };
    }
    if (READING.has(method) || headers.origin === undefined || isOwnOrigin(headers.origin, addressed)) return null;
    return {
      code: "foreign_origin",
      detail: `A page of ${headers.origin} may not write here; only this server's own pages may.`,
    };
  };

  function isOwnOrigin(origin: string, addressed: Host): boolean {
    const from = /^https?:\/\/(.+)$/.exec(origin.toLowerCase())?.[1];
    const host = from === undefined ? null : parseHost(from);
    if (!host) return false;
    if (allowedHosts.includes(host.name)) return true;
    // Another program on this machine has the same names and another port.
    return host.port === addressed.port && own.has(host.name);
  }
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
