/** Who did something, without the kind of actor: `operator:anna` is anna; null where nobody is told. */
export function actorName(actor: string | null): string | null {
  return actor === null ? null : actor.replace(/^[a-z]+:/, "");
}
