import type { Check } from "./check-context.ts";
import { structureAndIndexFaults } from "./structure.ts";

const RESTORE = "Stop Obelus, move the data directory away, and restore a backup: npm run restore -- BACKUP.";

/** SQLite's integrity check of pages, trees, records and indexes. */
export const checkFile: Check = {
  name: "file",
  remedy: RESTORE,
  run({ connection }, faults) {
    for (const fault of structureAndIndexFaults(connection)) faults.add(fault);
    const size = (pragma: string) => Number(connection.pragma(pragma, { simple: true }));
    const bytes = size("page_count") * size("page_size");
    return `${(bytes / 1_000_000).toLocaleString("en", { maximumFractionDigits: 1 })} MB`;
  },
};
