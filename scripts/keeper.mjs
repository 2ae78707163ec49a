import { spawn } from "node:child_process";
import { constants } from "node:os";

// Runs a command for its parent process, and ends it with the parent, also if that is killed: an orphaned installation
// would interfere with the next one.

const [command = "", ...args] = process.argv.slice(2);
const child = spawn(command, args, { stdio: "inherit" });

// This process is the leader of the process group of all that the command starts.
process.on("disconnect", () => process.kill(-process.pid, "SIGKILL"));
// The command receives the same signal, and is waited for.
for (const signal of ["SIGINT", "SIGTERM"]) process.on(signal, () => undefined);

child.on("error", (error) => {
  console.error(error.message);
  process.exit(127);
});
child.on("exit", (code, signal) => process.exit(code ?? 128 + (signal === null ? 0 : constants.signals[signal])));
