import { createInterface } from "node:readline/promises";
import { Writable } from "node:stream";
import { text } from "node:stream/consumers";
import { passwordFault } from "../../lib/access/rules.ts";
import { StartupError } from "../../lib/server/startup-error.ts";

/**
 * Reads a new password: twice from the terminal without echo, or from a pipe. Never an argument: those are visible in
 * the shell's history and to other programs. Throws `StartupError` for an invalid one.
 */
export async function readPassword(name: string): Promise<string> {
  if (!process.stdin.isTTY) return checked(onlyLine(await text(process.stdin)));
  const password = checked(await ask(`Password for ${name}: `));
  if ((await ask("Once more: ")) !== password)
    throw new StartupError("The passwords do not match; nothing was changed.");
  return password;
}

/** One line, or the same line twice, as when typed. Two different lines would be a password that nobody can type. */
function onlyLine(piped: string): string {
  const [password = "", ...others] = piped.replace(/\r?\n$/, "").split(/\r?\n/);
  if (others.length <= 1 && others.every((other) => other === password)) return password;
  throw new StartupError("The input has more than one line; pipe the password as one line. Nothing was changed.");
}

function checked(password: string): string {
  const fault = passwordFault(password);
  if (fault !== null) throw new StartupError(`A password ${fault}; nothing was changed.`);
  return password;
}

/** Throws `StartupError` on Ctrl-C or Ctrl-D. */
async function ask(question: string): Promise<string> {
  const nowhere = new Writable({ write: (_chunk, _encoding, done) => done() });
  const lines = createInterface({ input: process.stdin, output: nowhere, terminal: true, historySize: 0 });
  // From here on the terminal does not echo.
  process.stderr.write(question);
  const calledOff = new Promise<never>((_, reject) => {
    lines.once("SIGINT", () => lines.close());
    lines.once("close", () => reject(new StartupError("Cancelled; nothing was changed.")));
  });
  try {
    return await Promise.race([lines.question(""), calledOff]);
  } finally {
    process.stderr.write("\n");
    calledOff.catch(() => undefined);
    lines.close();
  }
}
