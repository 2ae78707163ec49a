import { storageEnvironment } from "../../../db/postgres/testing/for-data-dir.ts";
import type { Storage } from "../../../db/storage.ts";
import { readConfig } from "../../../lib/server/config.ts";
import { createLogger } from "../../../lib/server/logger.ts";
import { openData } from "../../../lib/server/wiring/open-data.ts";

/** Opens the storage of a server's data directory, while that server does not run. */
export async function openStored(dataDir: string): Promise<Storage> {
  const config = readConfig({ OBELUS_DATA_DIR: dataDir, ...(await storageEnvironment(dataDir)) });
  return openData(config, { onCommit: () => undefined, logger: createLogger("silent", []) });
}
