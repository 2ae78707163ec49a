import { spawn } from "node:child_process";
import { constants } from "node:os";

// Runs a command for the process that has started this one, and ends it with that process, also where that is killed: what
// goes on installing alone would be in the way of whoever installs next.

const [command = "", ...args] = process.argv.slice(2);
const child = spawn(command, args, { stdio: "inherit" });

// This process leads the group of all that the command starts.
process.on("disconnect", () => process.kill(-process.pid, "SIGKILL"));
// The command has the same signal, and is waited for.
for (const signal of ["SIGINT", "SIGTERM"]) process.on(signal, () => undefined);

child.on("error", (error) => {
  console.error(error.message);
  process.exit(127);
});
child.on("exit", (code, signal) => process.exit(code ?? 128 + (signal === null ? 0 : constants.signals[signal])));
