/**
 * An actor's name without its kind: `operator:anna` is anna; null for no actor. A program's key keeps a prefix that
 * reads the same in every language.
 */
export function actorName(actor: string): string;
export function actorName(actor: string | null): string | null;
export function actorName(actor: string | null): string | null {
  if (actor === null) return null;
  const name = actor.replace(/^[a-z]+:/, "");
  return actor.startsWith("key:") ? `${name} (API)` : name;
}
