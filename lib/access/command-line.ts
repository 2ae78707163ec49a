import { randomUUID } from "node:crypto";
import type { Requester } from "./caller.ts";

/**
 * Who acts by a command at the terminal: whoever can write the data directory may do everything there. The audit has it as
 * `operator:command-line`, a name that no user can have.
 */
export function commandLine(): Requester {
  return {
    caller: { kind: "person", id: "command-line", name: "command-line", role: "admin" },
    address: "terminal",
    request_id: randomUUID(),
  };
}
