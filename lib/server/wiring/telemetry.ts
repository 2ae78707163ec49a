import { readFile, rename, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { z } from "zod";
import type { OpenEgress } from "../../outgoing/egress.ts";
import type { Place, Telemetry, TelemetryNeeds } from "../../telemetry/telemetry.ts";
import type { Config } from "../config.ts";
import { errorCode } from "../startup-error.ts";
import { wallClock } from "../wall-clock.ts";

/** Makes the export of own turns, not started yet; null where no collector is configured. */
export async function openTelemetry(
  { telemetry, dataDir }: Pick<Config, "telemetry" | "dataDir">,
  { waysOut, ...needs }: Omit<TelemetryNeeds, "clock" | "collector" | "place" | "content"> & { waysOut: OpenEgress },
): Promise<Telemetry | null> {
  if (!telemetry) return null;
  // Only here: a server that exports nothing does without the SDK.
  const [{ createTelemetry }, { createCollector }] = await Promise.all([
    import("../../telemetry/telemetry.ts"),
    import("../../telemetry/sdk.ts"),
  ]);
  const collector = createCollector(waysOut({ hosts: [new URL(telemetry.endpoint).host] }).kept);
  return createTelemetry({ ...needs, ...telemetry, collector, clock: wallClock, place: placeIn(dataDir) });
}

const stored = z.object({ position: z.int().min(0) });

/** A file beside the database: what it says is about another system, and a copy of the log must not bring it along. */
function placeIn(dataDir: string): Place {
  const file = join(dataDir, "telemetry.json");
  return {
    async read() {
      try {
        return stored.parse(JSON.parse(await readFile(file, "utf8"))).position;
      } catch (error) {
        // Without it, or with what is no place, the export begins with what comes.
        if (errorCode(error) === "ENOENT" || error instanceof SyntaxError || error instanceof z.ZodError) return null;
        throw error;
      }
    },
    async write(position) {
      // Renamed, so that a crash leaves the old one or the new one.
      await writeFile(`${file}.new`, JSON.stringify({ position }));
      await rename(`${file}.new`, file);
    },
  };
}
