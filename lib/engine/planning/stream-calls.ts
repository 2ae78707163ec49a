import { isJsonObject, type JsonObject } from "../../session/json/json.ts";
import { readJson } from "../../session/json/json-text.ts";
import { MOST_LEVELS } from "./answer-json.ts";

/** Where the top-level object's value begins, and an element of its `calls`. */
const IN_OBJECT = 1;
const IN_CALLS = 2;

/**
 * Reads the text of a solution while it streams in, and gives each call as soon as its closing brace is there (P20),
 * whatever the text is cut into. One pass over it; what is no solution gives nothing.
 */
export class CallStream {
  private depth = 0;
  private inString = false;
  private escaped = false;
  /** The string that is being read at the top level, with its quotes; null when it is not needed. */
  private key: string | null = null;
  /** The key whose value comes next. */
  private property = "";
  private inCalls = false;
  /** What there is of the call that is being read; null between calls. */
  private call: string | null = null;
  /** Nothing more can come. */
  private over = false;

  /** The calls that this piece of the text completes. */
  feed(piece: string): JsonObject[] {
    const calls: JsonObject[] = [];
    /** What is kept of this piece, up to a place in it, is still to be added to `key` or `call`. */
    let from = 0;
    for (let at = 0; at < piece.length && !this.over; at++) {
      const char = piece.charAt(at);
      if (this.inString) {
        this.readInString(char);
        if (this.inString || this.key === null) continue;
        this.property = propertyIn(this.key + piece.slice(from, at + 1));
        this.key = null;
        continue;
      }
      if (this.begins(char)) from = at;
      if (!this.ends(char)) continue;
      const call = callIn((this.call ?? "") + piece.slice(from, at + 1));
      this.call = null;
      if (call) calls.push(call);
      else this.over = true;
    }
    if (this.over) return calls;
    if (this.key !== null) this.key += piece.slice(from);
    if (this.call !== null) this.call += piece.slice(from);
    return calls;
  }

  private readInString(char: string): void {
    if (this.escaped) this.escaped = false;
    else if (char === "\\") this.escaped = true;
    else if (char === '"') this.inString = false;
  }

  /** Takes one character outside of strings; true when a key or a call begins with it. */
  private begins(char: string): boolean {
    switch (char) {
      case '"':
        this.inString = true;
        if (this.depth !== IN_OBJECT) return false;
        this.key = "";
        return true;
      case "{":
      case "[":
        return this.opens(char);
      default:
        if (this.depth === 0 && !/\s/.test(char)) this.over = true;
        return false;
    }
  }

  private opens(bracket: string): boolean {
    if (this.depth === 0 && bracket === "[") this.over = true;
    if (this.depth === IN_OBJECT) this.inCalls = bracket === "[" && this.property === "calls";
    this.depth++;
    if (!this.inCalls || this.depth !== IN_CALLS + 1 || bracket === "[") return false;
    this.call = "";
    return true;
  }

  /** Takes the same character as `begins`; true when a call ends with it. */
  private ends(char: string): boolean {
    if (char !== "}" && char !== "]") return false;
    const complete = this.call !== null && this.depth === IN_CALLS + 1;
    this.depth--;
    // A second array of the same name would contradict what was given already.
    if (this.depth === 0 || (this.depth === IN_OBJECT && this.inCalls)) this.over = true;
    return complete;
  }
}

/** The key that a JSON string names; "" when it is none. */
function propertyIn(text: string): string {
  const read = readJson(text, 0, "as_written");
  return read.ok && typeof read.value === "string" ? read.value : "";
}

function callIn(text: string): JsonObject | null {
  const read = readJson(text, MOST_LEVELS - IN_CALLS, "as_written");
  return read.ok && isJsonObject(read.value) ? read.value : null;
}
