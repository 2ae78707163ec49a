import type { Locale } from "../../session/locale.ts";
import type { ListKind, ObjectKind } from "../actions/methods.ts";
import { en } from "./en.ts";
import { ru } from "./ru.ts";

/** An object in a sentence; without an id it is unknown which one. */
export interface Named {
  kind: ObjectKind;
  id: number | string | null;
}

/** A field that is set, with its label; null clears it. */
export interface Change {
  field: string;
  value: string | null;
}

/** All texts of the memory in one language. */
export interface Words {
  /** Labels of fields by the portal's names; other fields keep theirs. */
  fields: Record<string, string>;
  quoted(text: string): string;

  /** Actions (M6). `owner`: of a comment or an activity. */
  created(object: Named, owner: Named | null): string;
  changed(object: Named, fields: string[]): string;
  viewed(kind: ListKind, count: number): string;
  bound(event: string): string;
  unbound(event: string): string;
  ranBatch(count: number): string;
  carriedOut(method: string): string;

  /** Requests (M9). */
  create(object: ObjectKind, owner: Named | null, fields: Change[]): string;
  change(object: Named, fields: Change[]): string;
  /** A field with a special phrase in the language. */
  changeOf: Record<string, (object: Named, value: string) => string>;
  empty(object: Named, field: string): string;
  bind(event: string, handler: string): string;
  unbind(event: string, handler: string): string;
  runBatch(count: number, commands: string[]): string;
  carryOut(method: string, params: Change[]): string;
  unreadable: string;

  /** Results of the self-check (M10). */
  noGoals: string;
  noObjects: string;
  overdue(description: string, hours: number): string;
  nameless(count: number): string;
  /** Matches entries of `done` about created or viewed objects. */
  madeOrViewed: RegExp;

  /** The summary (M12). */
  awaited: string;
  asked(description: string, key: string, since: string): string;
  goals: string;
  known(objects: Named[]): string;
  done: string;
}

const WORDS: Record<Locale, Words> = { en, ru };

/** The texts in a language. */
export function wordsIn(locale: Locale): Words {
  return WORDS[locale];
}

/** All languages: an imported document may be written in any. */
export const ALL_WORDS: readonly Words[] = Object.values(WORDS);
