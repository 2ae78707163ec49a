import { BlockList, isIP, isIPv4 } from "node:net";

/**
 * Networks that are not of the public internet (IANA's special-purpose registries), with the length of their prefix.
 */
const CLOSED_IPV4: readonly (readonly [string, number])[] = [
  ["0.0.0.0", 8], // this network
  ["10.0.0.0", 8], // private
  ["100.64.0.0", 10], // shared by the customers of a provider
  ["127.0.0.0", 8], // loopback
  ["169.254.0.0", 16], // link-local, with the metadata of clouds
  ["172.16.0.0", 12], // private
  ["192.0.0.0", 24], // protocols
  ["192.0.2.0", 24], // documentation
  ["192.88.99.0", 24], // 6to4 relays
  ["192.168.0.0", 16], // private
  ["198.18.0.0", 15], // benchmarks
  ["198.51.100.0", 24], // documentation
  ["203.0.113.0", 24], // documentation
  ["224.0.0.0", 4], // multicast
  ["240.0.0.0", 4], // reserved, and broadcast
];

const CLOSED_IPV6: readonly (readonly [string, number])[] = [
  ["::", 96], // unspecified, loopback, and IPv4 in the old notation
  ["::ffff:0:0:0", 96], // IPv4, translated
  ["64:ff9b:1::", 48], // NAT64 within a network
  ["100::", 64], // discard
  ["2001::", 23], // protocols, Teredo among them
  ["2001:db8::", 32], // documentation
  ["2002::", 16], // 6to4, which holds an IPv4 address
  ["3fff::", 20], // documentation
  ["5f00::", 16], // segment routing
  ["fc00::", 7], // unique local
  ["fe80::", 10], // link-local
  ["fec0::", 10], // site-local
  ["ff00::", 8], // multicast
];

const closed = new BlockList();
for (const [network, prefix] of CLOSED_IPV4) {
  // IPv4-mapped addresses (::ffff:10.0.0.1) are handled by the list itself.
  closed.addSubnet(network, prefix, "ipv4");
  // NAT64, where 64:ff9b::10.0.0.1 leads to 10.0.0.1.
  closed.addSubnet(`64:ff9b::${network}`, 96 + prefix, "ipv6");
}
for (const [network, prefix] of CLOSED_IPV6) closed.addSubnet(network, prefix, "ipv6");

const loopback = new BlockList();
loopback.addSubnet("127.0.0.0", 8, "ipv4");
loopback.addAddress("::1", "ipv6");

/**
 * Whether an address is of this machine or a private network, and not of the public internet. True for invalid
 * addresses.
 */
export function isPrivate(address: string): boolean {
  return isIn(closed, address) ?? true;
}

export function isLoopback(address: string): boolean {
  return isIn(loopback, address) ?? false;
}

/** Null: not an address. */
function isIn(list: BlockList, written: string): boolean | null {
  // Without the zone, which names the interface: fe80::1%eth0.
  const address = written.replace(/%.*$/, "");
  if (isIP(address) === 0) return null;
  return list.check(address, isIPv4(address) ? "ipv4" : "ipv6");
}

/** Private hosts that may be called: names, addresses and networks. */
export interface PrivateHosts {
  /** Whether this host may be called at this address. */
  include(host: string, address: string): boolean;
}

const NAME = /^[\p{L}\p{N}_-]+(\.[\p{L}\p{N}_-]+)*$/u;

/** Whether an entry is a host name, an address or a network: `crm.local`, `10.0.0.5`, `fd00::/8`. */
export function isPrivateHost(entry: string): boolean {
  const [address = "", prefix, ...more] = entry.split("/");
  if (more.length > 0) return false;
  const bits = isIP(address) === 4 ? 32 : 128;
  if (prefix !== undefined) return isIP(address) !== 0 && /^\d{1,3}$/.test(prefix) && Number(prefix) <= bits;
  // A name of digits only is a mistyped address.
  return isIP(address) !== 0 || (NAME.test(address) && !/^[\d.]+$/.test(address));
}

/** Parses entries that `isPrivateHost` accepts. */
export function privateHosts(entries: readonly string[]): PrivateHosts {
  const names = new Set<string>();
  const addresses = new BlockList();
  for (const entry of entries) {
    const [address = "", prefix] = entry.split("/");
    const family = isIPv4(address) ? "ipv4" : "ipv6";
    if (isIP(address) === 0) names.add(hostName(entry));
    else if (prefix === undefined) addresses.addAddress(address, family);
    else addresses.addSubnet(address, Number(prefix), family);
  }
  return { include: (host, address) => names.has(hostName(host)) || (isIn(addresses, address) ?? false) };
}

/** A host in canonical form: lower case, ASCII, without brackets and trailing dot. */
export function hostName(host: string): string {
  const url = URL.parse(`http://${isIP(host) === 6 ? `[${host.replace(/%.*$/, "")}]` : host}/`);
  return (url?.hostname ?? host.toLowerCase()).replace(/^\[(.*)\]$/, "$1").replace(/\.$/, "");
}
