import { readFile, rename, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { z } from "zod";
import type { FollowerName, LogPlace, Storage } from "../../../db/storage.ts";
import type { OpenEgress } from "../../outgoing/egress.ts";
import type { Telemetry, TelemetryNeeds } from "../../telemetry/telemetry.ts";
import type { Config } from "../config.ts";
import { errorCode } from "../startup-error.ts";
import { wallClock } from "../wall-clock.ts";

interface Needs extends Omit<TelemetryNeeds, "clock" | "collector" | "place" | "content"> {
  placeOf: Storage["placeOf"];
  openEgress: OpenEgress;
}

/** Creates the export of own turns, not started yet; null without a collector. It may be started again after it was stopped. */
export async function openTelemetry(
  { telemetry, dataDir }: Pick<Config, "telemetry" | "dataDir">,
  { openEgress, placeOf, ...needs }: Needs,
): Promise<Telemetry | null> {
  if (!telemetry) return null;
  // Imported lazily: the SDK is only needed for an export.
  const [{ createTelemetry }, { createCollector }] = await Promise.all([
    import("../../telemetry/telemetry.ts"),
    import("../../telemetry/sdk.ts"),
  ]);
  const egress = openEgress({ hosts: [new URL(telemetry.endpoint).host] }).kept;
  const place = openPlace("telemetry", { dataDir, placeOf });
  let running: Telemetry | null = null;
  return {
    start() {
      running = createTelemetry({
        ...{ ...needs, ...telemetry, place, clock: wallClock },
        collector: createCollector(egress),
      });
      return running.start();
    },
    behind: async () => running?.behind() ?? 0,
    async stop() {
      const ended = running;
      running = null;
      await ended?.stop();
    },
  };
}

/** Where a follower of the log keeps how far it has come: with the log, if replicas share it, else in the data directory. */
export function openPlace(
  follower: FollowerName,
  { dataDir, placeOf }: { dataDir: string; placeOf: Storage["placeOf"] },
): LogPlace {
  return placeOf?.(follower) ?? placeIn(join(dataDir, `${follower}.json`));
}

const stored = z.object({ position: z.int().min(0) });

/** A position in a file beside the database: a copy of the database must not include it. Without it, or where it is invalid: null. */
function placeIn(file: string): LogPlace {
  return {
    async read() {
      try {
        return stored.parse(JSON.parse(await readFile(file, "utf8"))).position;
      } catch (error) {
        // If it is missing or invalid, the export starts with new turns.
        if (errorCode(error) === "ENOENT" || error instanceof SyntaxError || error instanceof z.ZodError) return null;
        throw error;
      }
    },
    async write(position) {
      // Renamed atomically: a crash leaves the old or the new one.
      await writeFile(`${file}.new`, JSON.stringify({ position }));
      await rename(`${file}.new`, file);
    },
  };
}
