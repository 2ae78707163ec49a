import { fileURLToPath } from "node:url";

/** The first line of a record: the program of the Connect page that was run, with `RECORDED_FROM` as the server. */
export interface RecordedProgram {
  code: string;
}

/** The server that recorded programs send to, as their code has it. */
export const RECORDED_FROM = "http://127.0.0.1:3000";

/** The file with what a program sent: one export request a line, below the program itself. */
export function recordedFile(id: string): string {
  return fileURLToPath(new URL(`./programs/${id}.jsonl`, import.meta.url));
}
