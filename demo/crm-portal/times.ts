/** The portal's time zone: Moscow, without daylight saving time. */
const OFFSET = "+03:00";
const OFFSET_MS = 3 * 60 * 60 * 1000;

const ISO = /^(\d{4})-(\d{2})-(\d{2})(?:[T ](\d{2}):(\d{2})(?::(\d{2})(?:\.\d+)?)?)?(Z|[+-]\d{2}:?\d{2})?$/;
const RUSSIAN = /^(\d{2})\.(\d{2})\.(\d{4})(?: (\d{2}):(\d{2})(?::(\d{2}))?)?$/;

/** A time in Bitrix24's format: `2026-03-19T15:01:27+03:00`. */
export function writeTime(moment: number | Date): string {
  const local = new Date(Number(moment) + OFFSET_MS).toISOString();
  return `${local.slice(0, 19)}${OFFSET}`;
}

/**
 * A date in Bitrix24's format: its midnight in UTC, in the portal's time zone. `moment` may be any time of that day.
 */
export function writeDay(moment: number | Date): string {
  const day = new Date(Number(moment) + OFFSET_MS).toISOString().slice(0, 10);
  return writeTime(Date.parse(`${day}T00:00:00Z`));
}

/**
 * Parses a time in any of Bitrix24's formats: ISO 8601, or `31.12.2026 18:00`, without an offset in the portal's time
 * zone. Epoch ms; null when invalid.
 */
export function readTime(text: string): number | null {
  const iso = ISO.exec(text);
  if (iso) {
    const [, year, month, day, hour, minute, second, offset] = iso;
    return momentOf([year, month, day, hour, minute, second], offset);
  }
  const [, day, month, year, hour, minute, second] = RUSSIAN.exec(text) ?? [];
  return year === undefined ? null : momentOf([year, month, day, hour, minute, second], undefined);
}

function momentOf(parts: (string | undefined)[], offset: string | undefined): number | null {
  const [year = 0, month = 1, day = 1, hour = 0, minute = 0, second = 0] = parts.map((part) => Number(part ?? 0));
  const utc = new Date(Date.UTC(year, month - 1, day, hour, minute, second));
  const exists = utc.getUTCMonth() === month - 1 && utc.getUTCDate() === day && hour < 24 && minute < 60 && second < 60;
  return exists ? utc.getTime() - offsetMs(offset) : null;
}

function offsetMs(offset: string | undefined): number {
  if (offset === undefined) return OFFSET_MS;
  if (offset === "Z") return 0;
  const [hours, minutes] = [Number(offset.slice(1, 3)), Number(offset.slice(-2))];
  return (offset.startsWith("-") ? -1 : 1) * (hours * 60 + minutes) * 60_000;
}
