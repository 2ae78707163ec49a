import type { MoveProgress } from "../../db/move/copy.ts";
import { moveToDirectory, moveToPostgres } from "../../db/move/move.ts";
import { readConfig } from "../../lib/server/config.ts";
import { StartupError } from "../../lib/server/startup-error.ts";
import { liveLine, number } from "./command.ts";

/** Whatever matters fails the move. */
const quiet = { warn: () => undefined, error: () => undefined };

/** Copies the database of `OBELUS_DATA_DIR`, or of `from`, into Postgres, or a Postgres database into a data directory. */
export async function move({ from, to }: { from?: string; to: string }): Promise<void> {
  if (to === "" || from === "")
    throw new StartupError(
      "An end of the move is empty: the shell has no such variable; export OBELUS_DATABASE_URL, or write the address itself.",
    );
  if (isPostgres(to) === (from !== undefined && isPostgres(from)))
    throw new StartupError("One end of a move is a Postgres database, the other a data directory.");
  const line = liveLine();
  const options = { logger: quiet, onProgress: (progress: MoveProgress) => line.show(told(progress)) };
  const moved = await (isPostgres(to)
    ? moveToPostgres({ dataDir: from ?? readConfig(process.env).dataDir, url: to, ...options })
    : moveToDirectory({ dataDir: to, url: from ?? "", ...options })
  ).finally(line.clear);
  console.log(
    `Moved ${number(moved.conversations)} conversations, up to position ${number(moved.events)}. All rows and views are the same.`,
  );
}

function isPostgres(place: string): boolean {
  return /^postgres(ql)?:\/\//.test(place);
}

function told({ phase, table, done, total }: MoveProgress): string {
  const of = `${number(done)} of ${number(total)}`;
  switch (phase) {
    case "copying":
      return `Copying ${table}: ${of} …`;
    case "comparing":
      return `Comparing ${table}: ${of} …`;
    case "views":
      return `Comparing views: ${of} conversations …`;
    default:
      return phase satisfies never;
  }
}
