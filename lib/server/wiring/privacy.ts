import { createHmac } from "node:crypto";
import type { Logger } from "pino";
import type { Storage } from "../../../db/storage.ts";
import type { Engine } from "../../engine/engine.ts";
import { createErasures, type Erasures } from "../../privacy/erasures.ts";
import { createRetention, type Retention } from "../../privacy/retention.ts";
import type { Config } from "../config.ts";
import { wallClock } from "../wall-clock.ts";
import { secretKey } from "./secret-key.ts";

interface Parts {
  storage: Storage;
  engine: Engine;
  logger: Logger;
}

/** Erasure and retention. */
export interface Privacy {
  erasures: Erasures;
  retention: Retention;
  start(): void;
  stop(): Promise<void>;
}

/** Creates the workers of erasure and retention, not started yet. */
export async function openPrivacy(config: Config, { storage, engine, logger }: Parts): Promise<Privacy> {
  const { audit } = storage;
  const key = await secretKey(config);
  const erasures = createErasures({
    ...{ erasures: storage.erasures, replicas: storage.replicas, audit, engine, logger },
    receiptOf: (kind, id) => createHmac("sha256", key).update(`${kind}:${id}`).digest("hex"),
  });
  const retention = createRetention({
    ...{ rules: config.retention, retention: storage.retention, audit, logger },
    now: wallClock.now,
  });
  return {
    erasures,
    retention,
    start() {
      erasures.start();
      retention.start();
    },
    async stop() {
      await Promise.all([erasures.stop(), retention.stop()]);
    },
  };
}
