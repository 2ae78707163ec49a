import { setMaxListeners } from "node:events";
import type { RequestListener } from "node:http";
import { StorageError } from "../../db/errors.ts";
import { readCheckpoints } from "../../db/foreign/langgraph.ts";
import { openStorage } from "../../db/sqlite/open.ts";
import type { Storage, StorageOptions } from "../../db/storage.ts";
import { openAccess } from "../access/access.ts";
import { createChains } from "../dialog/chain.ts";
import { createDirector } from "../dialog/director.ts";
import { historyBefore } from "../dialog/history.ts";
import { createMainGraph } from "../dialog/main-graph.ts";
import { createPromptTrials } from "../dialog/prompt-trials.ts";
import { createPrompts } from "../dialog/prompts.ts";
import { speech } from "../dialog/speech.ts";
import { SWITCH_MARKER } from "../dialog/switch-marker.ts";
import { createTurns } from "../dialog/turns.ts";
import { createEngine } from "../engine/create-engine.ts";
import { createSchemaChecker } from "../engine/json-schema.ts";
import { createForks } from "../fork/forks.ts";
import { ImportsUnderWay } from "../intake/imports-under-way.ts";
import { readImport } from "../intake/read-import.ts";
import { createMcp } from "../mcp/mcp.ts";
import { createAgUiRuns } from "../traces/ag-ui-runs.ts";
import { createTraces } from "../traces/traces.ts";
import { createBus } from "./bus.ts";
import type { Config } from "./config.ts";
import { openConsole } from "./console.ts";
import { fillWithDemo } from "./demo.ts";
import { createDrafts } from "./drafts.ts";
import { closeFront, createFront, listen } from "./front.ts";
import { createGuard } from "./guard.ts";
import { createJournal } from "./journal.ts";
import { createLogger } from "./logger.ts";
import { createMemory, readMemory } from "./memory.ts";
import { openOutside } from "./outside.ts";
import { openRegistries } from "./registries.ts";
import { provideServices, services } from "./services.ts";
import { errorCode, StartupError } from "./startup-error.ts";
import { openTelegram } from "./telegram.ts";
import { openTelemetry } from "./telemetry.ts";
import { wallClock } from "./wall-clock.ts";

/** A run that an AG-UI stream tells, and that no request goes on with for so long, has broken off. */
const AG_UI_PATIENCE_MS = 60_000;

/** A server that takes requests. */
export interface RunningServer {
  /** `http://127.0.0.1:3000` */
  address: string;
  /** Ends the streams, lets running requests end, writes what is queued and closes the database; within two seconds. */
  stop(): Promise<void>;
}

/**
 * The composition root: opens storage, takes the port, starts Next and wires them. What was opened is closed again
 * when a later step fails.
 *
 * Throws `StartupError` for what the operator can mend.
 */
export async function startServer(config: Config, { dev }: { dev: boolean }): Promise<RunningServer> {
  await using opened = new AsyncDisposableStack();
  const logger = createLogger(config.logLevel);
  const bus = createBus();
  const drafts = createDrafts(bus, [SWITCH_MARKER]);
  const stop = new AbortController();
  const { signal: stopping } = stop;
  // Each open stream listens to it.
  setMaxListeners(0, stopping);

  const storage = await openData({
    dataDir: config.dataDir,
    durability: config.durability,
    onCommit: bus.publish,
    logger,
  });
  opened.defer(() => storage.close());

  const checker = createSchemaChecker();
  const outside = await openOutside(config, logger);
  opened.defer(() => outside.close());
  const registries = await openRegistries({ config, storage, checker, logger, crm: outside.crm });
  opened.defer(() => registries.close());
  const mainGraph = createMainGraph();
  const engine = createEngine({
    ...registries,
    journal: createJournal(storage.log, storage.runs, storage.conversations),
    model: config.model && outside.model,
    talker: outside.model,
    memory: createMemory(storage.agentStates),
    prompts: createPrompts({ logger, debug: config.debugPrompts }),
    director: createDirector({ mainGraph, ...registries, ...storage, logger }),
    drafts,
    dialog: {
      ...createChains(storage.agentStates),
      ...{ speech, before: (...place) => historyBefore(storage.messages, ...place) },
    },
    checker,
    clock: wallClock,
    random: Math.random,
    logger,
  });
  opened.defer(() => engine.stop());

  const pages = Promise.withResolvers<RequestListener>();
  const access = openAccess();
  const front = createFront({ guard: createGuard(config), access, logger, stopping, dev, pages: pages.promise });
  const port = await listen(front, config.host, config.port);
  opened.defer(() => closeFront(front));

  const turns = createTurns({ engine, ...registries, ...storage });
  const telegram = await openTelegram(config.telegram, { ...registries, ...storage, turns, bus, logger, stopping });
  opened.defer(async () => telegram?.stop());
  const traces = createTraces({ ...storage, clock: wallClock, settle: config.otlpSettle, logger, stopping });
  opened.defer(() => traces.stop());
  const agUiRuns = createAgUiRuns({ ...storage, clock: wallClock, patience: AG_UI_PATIENCE_MS, logger });
  opened.defer(() => agUiRuns.stop());
  const telemetry = await openTelemetry(config, { ...storage, bus, logger });
  opened.defer(async () => telemetry?.stop());
  const promptTrials = createPromptTrials({ ...registries, ...storage, readMemory, now: wallClock.now });
  provideServices({
    config,
    access,
    bus,
    drafts,
    logger,
    stopping,
    engine,
    turns,
    mainGraph,
    forks: createForks({ engine, ...storage }),
    imports: new ImportsUnderWay(),
    readImport: (bytes, options) => readImport(bytes, { readCheckpoints, ...options }),
    promptTrials,
    ...registries,
    ...storage,
    telegram,
    traces,
    agUiRuns,
    mcp: createMcp(services),
  });
  const [console] = await Promise.all([
    openConsole({ dev, server: front, host: config.host, port, logger }),
    config.demo ? fillWithDemo(storage) : undefined,
    // Before the first request, so that whoever decides finds the run that waits for it.
    engine.recover(),
  ]);
  opened.defer(() => console.close());
  await traces.start();
  await telemetry?.start();
  await telegram?.start();
  pages.resolve(console.handle);

  const running = opened.move();
  return {
    address: `http://${config.host.includes(":") ? `[${config.host}]` : config.host}:${port}`,
    async stop() {
      stop.abort();
      // Beside what waits for requests to end: processes of tools take their time, too.
      const tools = engine.stop().then(() => registries.close());
      await Promise.all([tools, running.disposeAsync()]);
    },
  };
}

/** Opens storage. Throws `StartupError` for what the operator can mend. */
async function openData(options: StorageOptions): Promise<Storage> {
  try {
    return await openStorage(options);
  } catch (error) {
    if (error instanceof StorageError) throw new StartupError(`${error.message}.`, { cause: error });
    switch (errorCode(error)) {
      case "EACCES":
      case "EPERM":
      case "EROFS":
      case "SQLITE_READONLY":
      case "SQLITE_CANTOPEN":
        throw new StartupError(
          `${options.dataDir} cannot be written; give this user the right to, or set OBELUS_DATA_DIR to another directory.`,
          { cause: error },
        );
      case "ENOTDIR":
      case "EEXIST":
        throw new StartupError(`${options.dataDir} is not a directory; set OBELUS_DATA_DIR to one.`, { cause: error });
      case "ENOSPC":
      case "SQLITE_FULL":
        throw new StartupError(
          `The disk of ${options.dataDir} is full; free space or set OBELUS_DATA_DIR to another disk.`,
          { cause: error },
        );
      case "SQLITE_NOTADB":
      case "SQLITE_CORRUPT":
        throw new StartupError(
          `The database in ${options.dataDir} cannot be read; restore it from a backup or set OBELUS_DATA_DIR to another directory.`,
          { cause: error },
        );
      default:
        throw error;
    }
  }
}
