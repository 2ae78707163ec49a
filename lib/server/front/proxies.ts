import type { IncomingMessage } from "node:http";
import { isIP } from "node:net";
import proxyAddr from "proxy-addr";

/** Where a request comes from. */
export interface From {
  /** Of the client, behind the proxies that are trusted. */
  address: string;
  /** The browser speaks TLS with us, or with a trusted proxy. */
  secure: boolean;
  /** The proxy right before us is trusted, so that what it says of the request counts. */
  trusted: boolean;
  /** What the browser speaks with a trusted proxy; null where none tells. */
  protocol: "http" | "https" | null;
}

interface Settings {
  publicUrl: string | null;
  /** Addresses, networks, and names of networks such as `loopback`. */
  trustedProxies: readonly string[];
}

/** Makes what reads the headers of proxies. What others say in them is not heard: anybody can write a header. */
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

/** Tells whether these can be trusted proxies. */
export function areProxies(entries: readonly string[]): boolean {
  try {
    proxyAddr.compile([...entries]);
    return true;
  } catch {
    return false;
  }
}

/** The last address that no trusted proxy has; what is none is not believed. */
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

/** An address of IPv4 as it is written by itself, not within one of IPv6. */
function plain(address: string): string {
  return address.replace(/^::ffff:(?=\d+\.)/i, "");
}
