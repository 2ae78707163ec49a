import type { AbsenceStore } from "../absences.ts";
import type { PlainDatabase } from "../plain-database.ts";
import { toIso, toMs } from "../times.ts";

/** Absences in either storage: the same statements. */
export function createAbsenceStore({ rows, write }: PlainDatabase): AbsenceStore {
  return {
    async list(now) {
      const found = await rows<{ name: string; deputy: string; from_at: number; until_at: number }>(
        "SELECT name, deputy, from_at, until_at FROM absences WHERE until_at > $1 ORDER BY name",
        [now],
      );
      return found.map(({ name, deputy, from_at, until_at }) => ({
        ...{ name, deputy, from: toIso(from_at), until: toIso(until_at) },
      }));
    },
    async set({ name, deputy, from, until }) {
      await write([
        [
          `INSERT INTO absences (name, deputy, from_at, until_at) VALUES ($1, $2, $3, $4)
           ON CONFLICT (name) DO UPDATE SET deputy = excluded.deputy, from_at = excluded.from_at, until_at = excluded.until_at`,
          [name, deputy, toMs(from), toMs(until)],
        ],
      ]);
    },
    async end(name) {
      await write([["DELETE FROM absences WHERE name = $1", [name]]]);
    },
    async forget(name) {
      await write([["DELETE FROM absences WHERE name = $1 OR deputy = $1", [name]]]);
    },
  };
}
