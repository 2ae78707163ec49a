import type { MoveProgress } from "../../db/move/copy.ts";
import { moveToDirectory, moveToPostgres } from "../../db/move/move.ts";
import { readConfig } from "../../lib/server/config.ts";
import { StartupError } from "../../lib/server/startup-error.ts";
import { liveLine, number, readArguments, runCommand } from "./command.ts";

/** `npm run move`: copies the database of `OBELUS_DATA_DIR` into Postgres, or a Postgres database into a data directory. */

const USAGE = `npm run move -- --to postgres://…
npm run move -- --from postgres://… --to DIR`;

/** Whatever matters fails the move. */
const quiet = { warn: () => undefined, error: () => undefined };

const OPTIONS = { from: { type: "string" }, to: { type: "string" } } as const;

await runCommand(async (args) => {
  const { values, positionals } = readArguments(args, OPTIONS, USAGE);
  const { from, to } = values;
  if (to === undefined || positionals.length > 0) throw new StartupError(USAGE);
  if (isPostgres(to) === (from !== undefined && isPostgres(from)))
    throw new StartupError(`One end of a move is a Postgres database, the other a data directory:\n${USAGE}`);
  const line = liveLine();
  const options = { logger: quiet, onProgress: (progress: MoveProgress) => line.show(told(progress)) };
  const moved = await (isPostgres(to)
    ? moveToPostgres({ dataDir: from ?? readConfig(process.env).dataDir, url: to, ...options })
    : moveToDirectory({ dataDir: to, url: from ?? "", ...options })
  ).finally(line.clear);
  console.log(
    `Moved ${number(moved.conversations)} conversations, up to position ${number(moved.events)}. All rows and views are the same.`,
  );
});

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
