import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pino } from "pino";
import { expect, onTestFinished, test } from "vitest";
import { markMoved } from "../../../db/sqlite/data-dir/moved.ts";
import { StartupError } from "../startup-error.ts";
import { openData } from "./open-data.ts";

test("a server does not start on a data directory whose database was moved to Postgres, and says how it would", async () => {
  const dataDir = await mkdtemp(join(tmpdir(), "obelus-moved-away-"));
  onTestFinished(() => rm(dataDir, { recursive: true }));
  const open = () =>
    openData(
      { database: null, secret: null, dataDir, durability: "normal" },
      { onCommit: () => undefined, logger: pino({ level: "silent" }) },
    );
  await (await open()).close();
  markMoved(dataDir);
  const refused = await open().catch((error: unknown) => error);
  expect(refused).toBeInstanceOf(StartupError);
  expect(String(refused)).toContain(`remove ${join(dataDir, "moved.txt")} to use this copy.`);
});
