import { ownCommands } from "../../lib/server/own-commands.ts";
import { exportMemories } from "./memory-export.ts";
import { importMemories } from "./memory-import.ts";

// Users' memories as files (M1), from and into the running server.

/** Writes the memories of all users, or of one, into a folder. */
export async function exportMemory(folder: string, { user }: { user?: string }): Promise<void> {
  tell(await exportMemories(folder, user ?? null));
}

/** Replaces users' memories by those of files and folders. */
export async function importMemory(places: string[]): Promise<void> {
  tell(await importMemories(places));
}

function tell(faults: readonly string[]): void {
  for (const fault of faults) console.error(ownCommands(fault));
  if (faults.length > 0) process.exitCode = 1;
}
