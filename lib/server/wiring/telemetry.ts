import { readFile, rename, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { z } from "zod";
import type { OpenEgress } from "../../outgoing/egress.ts";
import type { Place, Telemetry, TelemetryNeeds } from "../../telemetry/telemetry.ts";
import type { Config } from "../config.ts";
import { errorCode } from "../startup-error.ts";
import { wallClock } from "../wall-clock.ts";

/** Creates the export of own turns, not started yet; null without a collector. */
export async function openTelemetry(
  { telemetry, dataDir }: Pick<Config, "telemetry" | "dataDir">,
  {
    openEgress,
    ...needs
  }: Omit<TelemetryNeeds, "clock" | "collector" | "place" | "content"> & { openEgress: OpenEgress },
): Promise<Telemetry | null> {
  if (!telemetry) return null;
  // Imported lazily: the SDK is only needed for an export.
  const [{ createTelemetry }, { createCollector }] = await Promise.all([
    import("../../telemetry/telemetry.ts"),
    import("../../telemetry/sdk.ts"),
  ]);
  const collector = createCollector(openEgress({ hosts: [new URL(telemetry.endpoint).host] }).kept);
  return createTelemetry({ ...needs, ...telemetry, collector, clock: wallClock, place: placeIn(dataDir) });
}

const stored = z.object({ position: z.int().min(0) });

/** A file beside the database: it is about another system, and a copy of the database must not include it. */
function placeIn(dataDir: string): Place {
  const file = join(dataDir, "telemetry.json");
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
