/** How a sealed text begins. */
export const SEALED_PREFIX = "sealed:";

/** Whether this looks like what `Sealing.seal` gives. */
export function isSealed(text: string): boolean {
  return text.startsWith(SEALED_PREFIX);
}
