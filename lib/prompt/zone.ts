/** The zone of this name; the system's if unknown (H1). */
export function zoneOf(timezone: string | null): { zone: string; known: boolean } {
  if (timezone !== null) {
    try {
      return { zone: new Intl.DateTimeFormat("en", { timeZone: timezone }).resolvedOptions().timeZone, known: true };
    } catch (error) {
      // Intl's error for an unknown zone.
      if (!(error instanceof RangeError)) throw error;
    }
  }
  return { zone: new Intl.DateTimeFormat().resolvedOptions().timeZone, known: timezone === null };
}
