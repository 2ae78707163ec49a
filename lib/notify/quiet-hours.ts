/** Hours of the day without notifications, in a time zone. */
export interface QuietHours {
  /** Minutes since midnight; the end may be on the next day. */
  from: number;
  to: number;
  timezone: string;
}

const WRITTEN = /^([01]\d|2[0-3]):([0-5]\d)-([01]\d|2[0-3]):([0-5]\d)\s+(\S+)$/;
const DAY_MINUTES = 24 * 60;

/** Parses `22:00-07:00 Europe/Moscow`; null if invalid. */
export function readQuietHours(text: string): QuietHours | null {
  const [, fromHour, fromMinute, toHour, toMinute, timezone] = WRITTEN.exec(text.trim()) ?? [];
  if (timezone === undefined || !isZone(timezone)) return null;
  const from = Number(fromHour) * 60 + Number(fromMinute);
  const to = Number(toHour) * 60 + Number(toMinute);
  return from === to ? null : { from, to, timezone };
}

function isZone(timezone: string): boolean {
  try {
    new Intl.DateTimeFormat("en", { timeZone: timezone });
    return true;
  } catch (error) {
    if (error instanceof RangeError) return false;
    throw error;
  }
}

/**
 * How long quiet hours last from a time on, ms; 0 outside of them. By local time: on days with a change of daylight
 * saving time it may be an hour wrong, so check again within an hour.
 */
export function quietFor(quiet: QuietHours | null, at: number): number {
  if (quiet === null) return 0;
  const passed = minutesOf(quiet.timezone, at);
  const length = (quiet.to - quiet.from + DAY_MINUTES) % DAY_MINUTES;
  const since = (passed - quiet.from + DAY_MINUTES) % DAY_MINUTES;
  return since < length ? (length - since) * 60_000 - (at % 60_000) : 0;
}

function minutesOf(timeZone: string, at: number): number {
  const parts = new Intl.DateTimeFormat("en", { timeZone, hour: "numeric", minute: "numeric", hourCycle: "h23" });
  const local = new Map(parts.formatToParts(at).map(({ type, value }) => [type, Number(value)]));
  return (local.get("hour") ?? 0) * 60 + (local.get("minute") ?? 0);
}
