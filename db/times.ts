/** ISO 8601 to epoch ms, as stored. Throws for invalid times, which were validated before. */
export function toMs(iso: string): number {
  const ms = Date.parse(iso);
  if (Number.isNaN(ms)) throw new Error(`Not a time: ${iso}`);
  return ms;
}

/** Epoch ms to ISO 8601 UTC with `Z`. */
export function toIso(ms: number): string {
  return new Date(ms).toISOString();
}
