const DAY_MS = 86_400_000;

/** ISO 8601 to epoch ms, as stored. Throws for invalid times, which were validated before. */
export function toMs(iso: string): number {
  const ms = Date.parse(iso);
  if (Number.isNaN(ms)) throw new Error(`Not a time: ${iso}`);
  return ms;
}

/** The day of the last answer, and how its times begin. */
let lastDay = Number.NaN;
let lastDate = "";

/**
 * Epoch ms, an integer, to ISO 8601 UTC with `Z`. Of the times of a log, most are of the same day: a fourth of what a `Date` for
 * each takes, which was a twentieth of storing events.
 */
export function toIso(ms: number): string {
  const day = Math.floor(ms / DAY_MS);
  if (day !== lastDay) {
    lastDate = new Date(day * DAY_MS).toISOString().slice(0, -"00:00:00.000Z".length);
    lastDay = day;
  }
  const ofDay = ms - day * DAY_MS;
  const seconds = Math.floor(ofDay / 1_000);
  const minutes = Math.floor(seconds / 60);
  const time = `${twoDigits(Math.floor(minutes / 60))}:${twoDigits(minutes % 60)}:${twoDigits(seconds % 60)}`;
  return `${lastDate}${time}.${String(ofDay % 1_000).padStart(3, "0")}Z`;
}

function twoDigits(value: number): string {
  return value < 10 ? `0${value}` : `${value}`;
}
