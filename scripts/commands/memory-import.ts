import { readdir, readFile, stat } from "node:fs/promises";
import { join } from "node:path";
import { parseFile } from "../../lib/memory/file/parse-file.ts";
import { callServer, Refusal } from "./call-server.ts";
import { addressOf, isUserFile, userIdOf } from "./memory-file.ts";

/** A validated document. */
interface Checked {
  file: string;
  userId: string;
  text: string;
}

/**
 * Replaces users' memory documents with those of files and folders. All are validated before the first is sent; if one
 * is invalid, none is. Returns a sentence for each error.
 */
export async function importMemories(places: string[]): Promise<string[]> {
  const files = (await Promise.all(places.map(filesOf))).flat();
  const checked: Checked[] = [];
  const faults: string[] = [];
  for (const file of files) {
    try {
      checked.push(await check(file, checked));
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      faults.push(error.message);
    }
  }
  if (faults.length > 0) return [...faults, "Nothing was imported."];
  return await sendAll(checked);
}

async function filesOf(place: string): Promise<string[]> {
  const found = await stat(place).catch(refuse(place));
  if (!found.isDirectory()) return [place];
  const names = (await readdir(place).catch(refuse(place))).filter(isUserFile).sort();
  if (names.length === 0) throw new Refusal(`${place}: no file in this folder ends in .json`);
  return names.map((name) => join(place, name));
}

/** Throws a `Refusal` with a line for each error, as `file:line:column`. */
async function check(file: string, others: readonly Checked[]): Promise<Checked> {
  const userId = userIdOf(file);
  if (userId === null) throw new Refusal(`${file}: name the file after the user id, such as anna.json`);
  const twin = others.find((other) => other.userId === userId);
  if (twin) throw new Refusal(`${file}: ${twin.file} belongs to the same user; remove one of them`);
  const text = decode(file, await readFile(file).catch(refuse(file)));
  const parsed = parseFile(text);
  if (parsed.ok) return { file, userId, text };
  const lines = parsed.faults.map(
    ({ line, column, path, message }) => `${file}:${line}:${column}: ${path === "" ? "" : `${path} `}${message}`,
  );
  throw new Refusal(lines.join("\n"));
}

function decode(file: string, bytes: Uint8Array): string {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    throw new Refusal(`${file}: this is not UTF-8; save it as UTF-8`);
  }
}

async function sendAll(documents: readonly Checked[]): Promise<string[]> {
  const faults: string[] = [];
  for (const { file, userId, text } of documents) {
    try {
      await callServer(addressOf(userId), {
        method: "PUT",
        headers: { "content-type": "application/json" },
        body: text,
      });
      console.log(`${file}: imported`);
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      faults.push(`${file}: ${error.message}`);
    }
  }
  return faults;
}

function refuse(place: string) {
  return (error: NodeJS.ErrnoException): never => {
    throw new Refusal(`${place}: ${error.code === "ENOENT" ? "there is no such file" : error.message}`);
  };
}
