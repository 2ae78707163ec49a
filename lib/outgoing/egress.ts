import { type LookupAddress, type LookupAllOptions, lookup as systemLookup } from "node:dns";
import { type AgentOptions, type ClientRequestArgs, Agent as HttpAgent } from "node:http";
import { Agent as HttpsAgent } from "node:https";
import { connect, isIP, type LookupFunction, Socket } from "node:net";
import type { Duplex } from "node:stream";
import { hostName, isLoopback, isPrivate, type PrivateHosts, privateHosts } from "./addresses.ts";
import { createFetch, type Fetch } from "./fetch.ts";

/** A call that the policy refuses: the message has the reason and the remedy. */
export class CallRefused extends Error {
  readonly code = "ERR_CALL_REFUSED";

  constructor(message: string) {
    super(message);
    this.name = "CallRefused";
  }
}

/** Node's HTTP agents by protocol. */
export interface Agents {
  http: HttpAgent;
  https: HttpsAgent;
}

/** Connections to certain hosts only; others are refused. */
export interface Egress {
  /** Agents that keep connections open. */
  kept: Agents;
  /** Agents with a new connection per request. */
  once: Agents;
  fetch: Fetch;
  /** Opens a connection without HTTP. */
  connect(host: string, port: number): Socket;
}

/** The hosts that may be called. */
export interface Destinations {
  /**
   * Hosts of the operator's settings: a host (any port) or `host:port`, IPv6 in brackets. Addresses in it, and
   * `localhost`, are allowed even if they are private.
   */
  hosts: readonly string[];
  /** Also allows hosts that only a response of these hosts names. */
  elsewhere?: boolean;
}

/** Creates an egress for destinations. */
export type OpenEgress = (to: Destinations) => Egress;

/** Resolves a name to all of its addresses, as `dns.lookup` does. */
export type Lookup = (
  host: string,
  options: LookupAllOptions,
  callback: (error: NodeJS.ErrnoException | null, addresses: LookupAddress[]) => void,
) => void;

/** How long an open connection is reused, ms: servers close theirs after five seconds. */
const KEPT_FOR_MS = 4_000;

/**
 * Creates the egress policy. A host must be allowed, and so must its address: public, or named. Checked when the name
 * is resolved and again when the connection is open, so that neither DNS rebinding nor another spelling of an address
 * bypasses it.
 */
export function createEgressPolicy(privateOnes: readonly string[], lookup: Lookup = systemLookup): OpenEgress {
  const allowed = privateHosts(privateOnes);
  return (to) => {
    const guard = createGuard(to, allowed, lookup);
    const agents = (options: AgentOptions): Agents => ({
      http: guarded(new HttpAgent(options), guard),
      https: guarded(new HttpsAgent(options), guard),
    });
    return {
      kept: agents({ keepAlive: true }),
      once: agents({ keepAlive: false }),
      fetch: createFetch(agents({ keepAlive: true, timeout: KEPT_FOR_MS })),
      connect(host, port) {
        const { refusal, lookup, watch } = guard(host, port);
        if (refusal) return new Socket().destroy(refusal);
        const socket = connect({ host, port, lookup });
        watch(socket);
        return socket;
      },
    };
  };
}

/** The checks of a connection. */
interface Guarded {
  /** Why it must not be opened; null if its host's name decides. */
  refusal: CallRefused | null;
  /** Returns only allowed addresses, and fails if there are none. */
  lookup: LookupFunction;
  /** Closes the socket if it is connected to an address that is not allowed. */
  watch(socket: Duplex): void;
}

type Guard = (host: string, port: number) => Guarded;

function createGuard({ hosts, elsewhere = false }: Destinations, allowed: PrivateHosts, lookup: Lookup): Guard {
  const entries = hosts.map(readEntry);
  return (host, port) => {
    const name = hostName(host);
    const isNamed = entries.some((entry) => entry.name === name && (entry.port ?? port) === port);

    function mayReach(address: string): boolean {
      if (!isPrivate(address) || allowed.include(name, address)) return true;
      if (!isNamed) return false;
      return name === "localhost" ? isLoopback(address) : hostName(address) === name;
    }

    function refusalOf(): CallRefused | null {
      if (!isNamed && !elsewhere) {
        return new CallRefused(`${inAddress(name)}:${port} is not an allowed host`);
      }
      return isIP(name) === 0 || mayReach(name) ? null : refusedAddress(name, [name]);
    }

    return {
      refusal: refusalOf(),
      lookup(asked, options, callback) {
        lookup(asked, { ...options, all: true }, (error, addresses) => {
          if (error) return callback(error, []);
          const reachable = addresses.filter(({ address }) => mayReach(address));
          const [first] = reachable;
          if (!first)
            callback(
              refusedAddress(
                name,
                addresses.map(({ address }) => address),
              ),
              [],
            );
          else if (options.all) callback(null, reachable);
          else callback(null, first.address, first.family);
        });
      },
      watch(socket) {
        // Before all other listeners: not a byte must be sent.
        socket.prependOnceListener("connect", () => {
          const address = "remoteAddress" in socket ? String(socket.remoteAddress) : "";
          if (!mayReach(address)) socket.destroy(refusedAddress(name, [address]));
        });
      },
    };
  };
}

/** `host`, or `host:port`, with an IPv6 address in brackets. */
function readEntry(entry: string): { name: string; port: number | null } {
  const [, host = entry, port] = /^(\[[^\]]*\]|[^:]*)(?::(\d+))?$/.exec(entry) ?? [];
  return { name: hostName(host.replace(/^\[(.*)\]$/, "$1")), port: port === undefined ? null : Number(port) };
}

function inAddress(name: string): string {
  return isIP(name) === 6 ? `[${name}]` : name;
}

function refusedAddress(name: string, addresses: readonly string[]): CallRefused {
  const where = addresses.join(", ");
  const what = name === where ? "is" : `resolves to ${where},`;
  return new CallRefused(`${name} ${what} a private address; to allow it, add it to OBELUS_PRIVATE_HOSTS and restart`);
}

/** Makes an agent check its connections. */
function guarded<A extends HttpAgent | HttpsAgent>(agent: A, guard: Guard): A {
  const open = agent.createConnection.bind(agent);
  agent.createConnection = (options: ClientRequestArgs, callback?: (error: Error | null, socket: Duplex) => void) => {
    const { refusal, lookup, watch } = guard(options.host ?? "localhost", Number(options.port));
    if (refusal) {
      // Reported by the callback: an exception here would be thrown where the request is made.
      callback?.(refusal, new Socket());
      return undefined;
    }
    const socket = open({ ...options, lookup }, callback);
    if (socket) watch(socket);
    return socket;
  };
  return agent;
}
