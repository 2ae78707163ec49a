import { readFile, rename, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { z } from "zod";
import type { OpenEgress } from "../../outgoing/egress.ts";
import type { Place, Telemetry, TelemetryNeeds } from "../../telemetry/telemetry.ts";
import type { Config } from "../config.ts";
import { errorCode } from "../startup-error.ts";
import { wallClock } from "../wall-clock.ts";

interface Needs extends Omit<TelemetryNeeds, "clock" | "collector" | "place" | "content"> {
  /** Where all replicas keep it; null: in the data directory. */
  telemetryPlace: Place | null;
  openEgress: OpenEgress;
}

/** Creates the export of own turns, not started yet; null without a collector. It may be started again after it was stopped. */
export async function openTelemetry(
  { telemetry, dataDir }: Pick<Config, "telemetry" | "dataDir">,
  { openEgress, telemetryPlace, ...needs }: Needs,
): Promise<Telemetry | null> {
  if (!telemetry) return null;
  // Imported lazily: the SDK is only needed for an export.
  const [{ createTelemetry }, { createCollector }] = await Promise.all([
    import("../../telemetry/telemetry.ts"),
    import("../../telemetry/sdk.ts"),
  ]);
  const egress = openEgress({ hosts: [new URL(telemetry.endpoint).host] }).kept;
  const place = telemetryPlace ?? placeIn(join(dataDir, "telemetry.json"));
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

const stored = z.object({ position: z.int().min(0) });

/** A position in a file beside the database: a copy of the database must not include it. Without it, or where it is invalid: null. */
export function placeIn(file: string): Place {
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
