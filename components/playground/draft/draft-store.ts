import { type Draft, EMPTY_DRAFT } from "./documents.ts";
import { readDraft } from "./draft-hash.ts";

const KEY = "obelus-plan";
/** The draft that was replaced by another plan. */
const FORMER_KEY = "obelus-plan-former";

type Store = Pick<Storage, "getItem" | "setItem" | "removeItem">;

/** The stored playground; empty at first. */
export function storedDraft(storage: Store): Draft {
  return read(storage, KEY) ?? EMPTY_DRAFT;
}

/** The draft before another plan was opened; null for none. */
export function formerDraft(storage: Store): Draft | null {
  return read(storage, FORMER_KEY);
}

/** Stores a draft; false when there is no room. */
export function keepDraft(storage: Store, draft: Draft): boolean {
  return write(storage, KEY, draft);
}

/** Keeps the replaced draft, unless it is empty or equal. */
export function setAside(storage: Store, draft: Draft, next: Draft): boolean {
  if (isEmpty(draft) || isSame(draft, next)) return false;
  return write(storage, FORMER_KEY, draft);
}

export function isEmpty({ plan, context, tools }: Draft): boolean {
  return [plan, context, tools].every((text) => text.trim() === "");
}

function isSame(one: Draft, other: Draft): boolean {
  return one.plan === other.plan && one.context === other.context && one.tools === other.tools;
}

function read(storage: Store, key: string): Draft | null {
  const text = storage.getItem(key);
  if (text === null) return null;
  try {
    return readDraft(JSON.parse(text));
  } catch {
    return null;
  }
}

function write(storage: Store, key: string, draft: Draft): boolean {
  try {
    storage.setItem(key, JSON.stringify(draft));
    return true;
  } catch (error) {
    if (!(error instanceof DOMException && error.name === "QuotaExceededError")) throw error;
    storage.removeItem(key);
    return false;
  }
}
