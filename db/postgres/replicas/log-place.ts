import type { LogPlace } from "../../storage.ts";
import type { Queries } from "../database.ts";

/** How far a follower of the log has come, for all replicas: whichever of them takes over goes on from there. */
export function createLogPlace(database: Queries, follower: string): LogPlace {
  return {
    async read() {
      const [row] = await database.rows<{ position: number }>("SELECT position FROM notice_places WHERE channel = $1", [
        follower,
      ]);
      return row?.position ?? null;
    },
    // A replica that was frozen wakes with a place that another one has left behind.
    async write(position) {
      await database.run(
        `INSERT INTO notice_places (channel, position) VALUES ($1, $2)
         ON CONFLICT (channel) DO UPDATE SET position = greatest(notice_places.position, excluded.position)`,
        [follower, position],
      );
    },
  };
}
