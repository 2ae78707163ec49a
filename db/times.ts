/** ISO 8601 as epoch ms, as times are stored. Throws on a text that is no time: intake has checked it. */
export function toMs(iso: string): number {
  const ms = Date.parse(iso);
  if (Number.isNaN(ms)) throw new Error(`Not a time: ${iso}`);
  return ms;
}

/** Epoch ms as ISO 8601 UTC with `Z`, as times are told. */
export function toIso(ms: number): string {
  return new Date(ms).toISOString();
}
