import { type LookupAddress, type LookupAllOptions, lookup as systemLookup } from "node:dns";
import { type AgentOptions, type ClientRequestArgs, Agent as HttpAgent } from "node:http";
import { Agent as HttpsAgent } from "node:https";
import { connect, isIP, type LookupFunction, Socket } from "node:net";
import type { Duplex } from "node:stream";
import { hostName, isLoopback, isPrivate, type PrivateHosts, privateHosts } from "./addresses.ts";
import { createFetch, type Fetch } from "./fetch.ts";

/** A call that must not leave: the sentence tells why, and what to do where it is meant to. */
export class CallRefused extends Error {
  readonly code = "ERR_CALL_REFUSED";

  constructor(message: string) {
    super(message);
    this.name = "CallRefused";
  }
}

/** Agents of Node's own client, one for each protocol. */
export interface Agents {
  http: HttpAgent;
  https: HttpsAgent;
}

/** A way out of the house to some hosts. Whatever takes it is refused where it must not go. */
export interface Egress {
  /** Keeps connections open. */
  kept: Agents;
  /** A new connection for each request. */
  once: Agents;
  fetch: Fetch;
  /** Opens a connection that speaks no HTTP. */
  connect(host: string, port: number): Socket;
}

/** What is called by a way. */
export interface Destinations {
  /**
   * What the operator's settings name: a host (every port) or `host:port`, IPv6 in brackets. An address among them, and
   * `localhost`, is allowed by being named, also where it is private.
   */
  hosts: readonly string[];
  /** Hosts that only an answer of those names may be called, too. */
  elsewhere?: boolean;
}

/** Opens ways out. */
export type OpenEgress = (to: Destinations) => Egress;

/** Resolves a name to all of its addresses, as `dns.lookup` does. */
export type Lookup = (
  host: string,
  options: LookupAllOptions,
  callback: (error: NodeJS.ErrnoException | null, addresses: LookupAddress[]) => void,
) => void;

/** How long a connection that a call left open is taken for a further one, ms: servers close theirs after five seconds. */
const KEPT_FOR_MS = 4_000;

/**
 * Makes what opens ways out. A host must be one of a way's own, and so must what it stands for: an address of the public internet, or
 * one that was named. That is looked at when the name is resolved and once more when the connection stands, so that no
 * second answer of a name server and no other spelling of an address gets around it.
 */
export function createWaysOut(privateOnes: readonly string[], lookup: Lookup = systemLookup): OpenEgress {
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

/** What a connection has to keep to. */
interface Guarded {
  /** Why it must not be opened; null where it may, by what its host's name resolves to. */
  refusal: CallRefused | null;
  /** Gives only addresses that may be called, and fails where there are none. */
  lookup: LookupFunction;
  /** Breaks it off when it stands to an address that must not be called. */
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
        // Before all else that waits for it: not a byte must leave.
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

/** Has an agent open its connections under a guard. */
function guarded<A extends HttpAgent | HttpsAgent>(agent: A, guard: Guard): A {
  const open = agent.createConnection.bind(agent);
  agent.createConnection = (options: ClientRequestArgs, callback?: (error: Error | null, socket: Duplex) => void) => {
    const { refusal, lookup, watch } = guard(options.host ?? "localhost", Number(options.port));
    if (refusal) {
      // Told by the callback: what is thrown here would be thrown where the request is made.
      callback?.(refusal, new Socket());
      return undefined;
    }
    const socket = open({ ...options, lookup }, callback);
    if (socket) watch(socket);
    return socket;
  };
  return agent;
}
