/**
 * Who did something, without the kind of actor: `operator:anna` is anna; null where nobody is told. A program's key is told
 * from a person in words that every language has.
 */
export function actorName(actor: string): string;
export function actorName(actor: string | null): string | null;
export function actorName(actor: string | null): string | null {
  if (actor === null) return null;
  const name = actor.replace(/^[a-z]+:/, "");
  return actor.startsWith("key:") ? `${name} (API)` : name;
}
