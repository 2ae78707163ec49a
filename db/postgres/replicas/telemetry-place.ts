import type { Storage } from "../../storage.ts";
import type { Queries } from "../database.ts";

/** Among the places of those who follow the log. */
const NAME = "telemetry";

/** How far the turns of all replicas were exported. */
export function createTelemetryPlace(database: Queries): NonNullable<Storage["telemetryPlace"]> {
  return {
    async read() {
      const [row] = await database.rows<{ position: number }>("SELECT position FROM notice_places WHERE channel = $1", [
        NAME,
      ]);
      return row?.position ?? null;
    },
    async write(position) {
      await database.run(
        `INSERT INTO notice_places (channel, position) VALUES ($1, $2)
         ON CONFLICT (channel) DO UPDATE SET position = excluded.position`,
        [NAME, position],
      );
    },
  };
}
