import { createInterface } from "node:readline/promises";
import { Writable } from "node:stream";
import { text } from "node:stream/consumers";
import { passwordFault } from "../../lib/access/rules.ts";
import { StartupError } from "../../lib/server/startup-error.ts";

/**
 * A new password: asked for twice at the terminal, which does not show it, or read from what is piped in. Never an argument:
 * those are in the shell's history, and every program of this machine can read them. Throws `StartupError` for one that cannot be.
 */
export async function readPassword(name: string): Promise<string> {
  if (!process.stdin.isTTY) return checked(onlyLine(await text(process.stdin)));
  const password = checked(await ask(`Password for ${name}: `));
  if ((await ask("Once more: ")) !== password)
    throw new StartupError("The passwords do not match; nothing was changed.");
  return password;
}

/** One line, or the same one twice, as it would be typed. Two others would be a password that nobody can type again. */
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

/** Throws `StartupError` when it is called off by Ctrl-C or Ctrl-D. */
async function ask(question: string): Promise<string> {
  const nowhere = new Writable({ write: (_chunk, _encoding, done) => done() });
  const lines = createInterface({ input: process.stdin, output: nowhere, terminal: true, historySize: 0 });
  // From here on the terminal shows nothing of what is typed.
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
