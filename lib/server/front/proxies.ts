import type { IncomingMessage } from "node:http";
import { isIP } from "node:net";
import proxyAddr from "proxy-addr";

/** The client of a request. */
export interface From {
  /** The client's address, behind trusted proxies. */
  address: string;
  /** The browser uses TLS, with us or with a trusted proxy. */
  secure: boolean;
  /** The direct peer is a trusted proxy, so its headers count. */
  trusted: boolean;
  /** The protocol between the browser and a trusted proxy; null if unknown. */
  protocol: "http" | "https" | null;
}

interface Settings {
  publicUrl: string | null;
  /** Addresses, networks, and names of networks such as `loopback`. */
  trustedProxies: readonly string[];
}

/** Creates the parser of proxy headers. Headers of others are ignored: any client can send them. */
export function createProxies({ publicUrl, trustedProxies }: Settings): (request: IncomingMessage) => From {
  const isTrusted = proxyAddr.compile([...trustedProxies]);
  const isPublicSecure = publicUrl?.startsWith("https:") ?? false;
  return (request) => {
    const before = plain(request.socket.remoteAddress ?? "");
    const trusted = isTrusted(before, 0);
    const protocol = trusted ? protocolOf(request) : null;
    return {
      trusted,
      address: trusted ? clientOf(request, before, isTrusted) : before,
      secure: isPublicSecure || protocol === "https",
      protocol,
    };
  };
}

/** Whether these are valid trusted proxies. */
export function areProxies(entries: readonly string[]): boolean {
  try {
    proxyAddr.compile([...entries]);
    return true;
  } catch {
    return false;
  }
}

/** The last address that is not a trusted proxy's; invalid ones are ignored. */
function clientOf(
  request: IncomingMessage,
  before: string,
  isTrusted: (address: string, index: number) => boolean,
): string {
  const address = plain(proxyAddr(request, isTrusted));
  return isIP(address) === 0 ? before : address;
}

function protocolOf({ headers }: IncomingMessage): From["protocol"] {
  const told = String(headers["x-forwarded-proto"] ?? "")
    .split(",", 1)[0]
    ?.trim()
    .toLowerCase();
  return told === "http" || told === "https" ? told : null;
}

/** An IPv4 address without the IPv4-mapped IPv6 prefix. */
function plain(address: string): string {
  return address.replace(/^::ffff:(?=\d+\.)/i, "");
}
