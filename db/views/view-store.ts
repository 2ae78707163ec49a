import { randomUUID } from "node:crypto";
import { type ListView, MOST_VIEWS } from "../../lib/queue/list-view.ts";
import { Conflict } from "../errors.ts";
import type { PlainDatabase } from "../plain-database.ts";
import { toIso } from "../times.ts";
import type { ViewStore } from "../views.ts";

interface ViewRow extends Omit<ListView, "shared" | "created_at" | "updated_at"> {
  shared: number;
  created_at: number;
  updated_at: number;
}

const COLUMNS = "id, owner, name, query, shared, created_at, updated_at";

/** Views in either storage: the same statements. */
export function createViewStore({ rows, write, now }: PlainDatabase): ViewStore {
  const get = async (id: string) => {
    const [row] = await rows<ViewRow>(`SELECT ${COLUMNS} FROM list_views WHERE id = $1`, [id]);
    return row ? toView(row) : null;
  };
  const refuseTaken = async (owner: string, name: string, id: string) => {
    const taken = await rows("SELECT id FROM list_views WHERE owner = $1 AND name = $2 AND id <> $3", [
      ...[owner, name, id],
    ]);
    if (taken.length > 0) throw new Conflict(`You have a view called ${name}; choose another name`);
  };
  const kept = async (id: string) => {
    const view = await get(id);
    if (!view) throw new Error("A view was not stored");
    return view;
  };
  return {
    async list(owner) {
      const found = await rows<ViewRow>(
        `SELECT ${COLUMNS} FROM list_views WHERE owner = $1 OR shared = 1 ORDER BY lower(name), id`,
        [owner],
      );
      return found.map(toView);
    },
    get,
    async add({ owner, name, query, shared }) {
      const id = randomUUID();
      const [added] = await write([
        [
          `INSERT INTO list_views (${COLUMNS})
           SELECT $1, $2, $3, $4, CAST($5 AS bigint), ${now}, ${now}
           WHERE (SELECT count(*) FROM list_views WHERE owner = $2) < ${MOST_VIEWS} ON CONFLICT DO NOTHING`,
          [id, owner, name, query, shared ? 1 : 0],
        ],
      ]);
      if (added === 1) return kept(id);
      await refuseTaken(owner, name, id);
      throw new Conflict(`You have ${MOST_VIEWS} views; delete one first`);
    },
    async change(id, { name, query, shared }) {
      const [changed] = await write([
        [
          `UPDATE list_views SET name = $2, query = $3, shared = $4, updated_at = ${now} WHERE id = $1
             AND NOT EXISTS (SELECT 1 FROM list_views AS other WHERE other.owner = list_views.owner AND other.name = $2
               AND other.id <> $1)`,
          [id, name, query, shared ? 1 : 0],
        ],
      ]);
      if (changed === 1) return kept(id);
      const view = await get(id);
      if (view) await refuseTaken(view.owner, name, id);
      return null;
    },
    async remove(id) {
      const [removed] = await write([["DELETE FROM list_views WHERE id = $1", [id]]]);
      return removed === 1;
    },
  };
}

function toView({ shared, created_at, updated_at, ...row }: ViewRow): ListView {
  return { ...row, shared: shared === 1, created_at: toIso(created_at), updated_at: toIso(updated_at) };
}
