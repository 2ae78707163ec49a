import type { Queries } from "../database.ts";

/** Marks a conversation as erased: what any replica has read of it is outdated. Its position is null if it is in no list. */
export async function markErased(queries: Queries, id: string, position: number | null): Promise<void> {
  await queries.run(
    `INSERT INTO erasure_epoch (id, epoch, floor) VALUES (1, 1, 0)
     ON CONFLICT (id) DO UPDATE SET epoch = erasure_epoch.epoch + 1`,
  );
  await queries.run(
    `INSERT INTO erased_conversations (name, epoch) SELECT name, epoch FROM erasure_epoch, unnest($1::text[]) AS name
     ON CONFLICT (name) DO UPDATE SET epoch = excluded.epoch`,
    [position === null ? [id] : [id, String(position)]],
  );
}

/** Removes the marks, which have names. From here on all that was read before counts as outdated. */
export async function forgetMarks(queries: Queries): Promise<void> {
  await queries.run("UPDATE erasure_epoch SET floor = epoch");
  await queries.run("DELETE FROM erased_conversations");
}
