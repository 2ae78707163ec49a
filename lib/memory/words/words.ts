import type { Locale } from "../../session/locale.ts";
import type { ListKind, ObjectKind } from "../actions/methods.ts";
import { en } from "./en.ts";
import { ru } from "./ru.ts";

/** An object as a sentence names it; without an id it is not known which. */
export interface Named {
  kind: ObjectKind;
  id: number | string | null;
}

/** A field that is set, under its name in words; null empties it. */
export interface Change {
  field: string;
  value: string | null;
}

/** All that the memory says, in one language. */
export interface Words {
  /** Fields that have a name of their own, by the portal's; all others keep that. */
  fields: Record<string, string>;
  quoted(text: string): string;

  /** What is done (M6). `owner`: what a comment or an activity belongs to. */
  created(object: Named, owner: Named | null): string;
  changed(object: Named, fields: string[]): string;
  viewed(kind: ListKind, count: number): string;
  bound(event: string): string;
  unbound(event: string): string;
  ranBatch(count: number): string;
  carriedOut(method: string): string;

  /** What is asked for (M9). */
  create(object: ObjectKind, owner: Named | null, fields: Change[]): string;
  change(object: Named, fields: Change[]): string;
  /** One field, where the language has a better way to say it. */
  changeOf: Record<string, (object: Named, value: string) => string>;
  empty(object: Named, field: string): string;
  bind(event: string, handler: string): string;
  unbind(event: string, handler: string): string;
  runBatch(count: number, commands: string[]): string;
  carryOut(method: string, params: Change[]): string;
  unreadable: string;

  /** What the self-check finds (M10). */
  noGoals: string;
  noObjects: string;
  overdue(description: string, hours: number): string;
  nameless(count: number): string;
  /** How an entry of `done` speaks of objects that were made or viewed. */
  madeOrViewed: RegExp;

  /** The summary (M12). */
  awaited: string;
  asked(description: string, key: string, since: string): string;
  goals: string;
  known(objects: Named[]): string;
  done: string;
}

const WORDS: Record<Locale, Words> = { en, ru };

/** All that the memory says, in this language. */
export function wordsIn(locale: Locale): Words {
  return WORDS[locale];
}

/** All languages: an imported document may be written in any. */
export const ALL_WORDS: readonly Words[] = Object.values(WORDS);
