/** The zone of this name, if there is one; else the system's (H1). */
export function zoneOf(timezone: string | null): { zone: string; known: boolean } {
  if (timezone !== null) {
    try {
      return { zone: new Intl.DateTimeFormat("en", { timeZone: timezone }).resolvedOptions().timeZone, known: true };
    } catch (error) {
      // What Intl says of a zone that it does not know.
      if (!(error instanceof RangeError)) throw error;
    }
  }
  return { zone: new Intl.DateTimeFormat().resolvedOptions().timeZone, known: timezone === null };
}
