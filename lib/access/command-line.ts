import { randomUUID } from "node:crypto";
import type { Requester } from "./caller.ts";

/**
 * The caller of commands: those who can write the data directory have all permissions. The audit log has
 * `operator:command-line`, a name that no user can have.
 */
export function commandLine(): Requester {
  return {
    caller: { kind: "person", id: "command-line", name: "command-line", role: "admin" },
    address: "terminal",
    request_id: randomUUID(),
  };
}
