import { isIPv4 } from "node:net";

/** Whether only programs on this machine can connect to an address. */
export function isLoopback(host: string): boolean {
  return /^(localhost|::1|\[::1\])$/i.test(host) || (isIPv4(host) && host.startsWith("127."));
}
