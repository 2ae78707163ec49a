import { type MemoryDocument, readDocument } from "../document.ts";
import type { DocumentFault } from "./document-fault.ts";
import { type Place, readJson } from "./read-json.ts";

/** An error in a file: its place, and a sentence with a remedy. */
export type FileFault = Pick<DocumentFault, "path" | "message"> & Place;

export type ParsedFile = { ok: true; document: MemoryDocument } | { ok: false; faults: FileFault[] };

/** Parses a user's file (M1). Lines and columns count from 1; a path is a JSON Pointer, "" for the whole. */
export function parseFile(text: string): ParsedFile {
  const read = readJson(text);
  if (!read.ok) return { ok: false, faults: [{ path: "", ...read.fault }] };
  const result = readDocument(read.value);
  if (result.ok) return result;
  return { ok: false, faults: result.faults.map(({ path, message }) => ({ path, message, ...read.placeOf(path) })) };
}
