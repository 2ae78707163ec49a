import { setMaxListeners } from "node:events";
import type { RequestListener } from "node:http";
import { join } from "node:path";
import { readCheckpoints } from "../../db/foreign/langgraph.ts";
import { DATABASE_FILE } from "../../db/sqlite/open.ts";
import { importsFolder } from "../../db/sqlite/spool.ts";
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
import { createIsolation } from "../fork/isolation.ts";
import { ImportsUnderWay } from "../intake/imports-under-way.ts";
import { readImport } from "../intake/read-import.ts";
import { createMcp } from "../mcp/mcp.ts";
import { quietFor } from "../notify/quiet-hours.ts";
import { createWaysOut } from "../outgoing/egress.ts";
import { redactJson } from "../redaction/redact.ts";
import { createAgUiRuns } from "../traces/ag-ui-runs.ts";
import { createTraces } from "../traces/traces.ts";
import { openAccess } from "./access.ts";
import { openAllowance } from "./allowance.ts";
import { createApiHandlers } from "./api-handlers.ts";
import { createBus } from "./bus.ts";
import type { Config } from "./config.ts";
import { buildFile, openConsole } from "./console.ts";
import { fillWithDemo } from "./demo.ts";
import { createDrafts } from "./drafts.ts";
import { closeFront, createFront, listen } from "./front.ts";
import { createGate } from "./gate.ts";
import { createGuard } from "./guard.ts";
import { createJournal } from "./journal.ts";
import { installLastWords, outliveRejections } from "./last-words.ts";
import { createBodyLimit } from "./limit-bodies.ts";
import { createRequestLimits } from "./limit-requests.ts";
import { createLogger } from "./logger.ts";
import { createLongReads } from "./long-reads.ts";
import { createMemory, readMemory } from "./memory.ts";
import { createMetrics } from "./metrics.ts";
import { openNotices } from "./notify.ts";
import { openData } from "./open-data.ts";
import { openOutside } from "./outside.ts";
import { createPlanThreads } from "./plan-threads.ts";
import { openPrivacy } from "./privacy.ts";
import { createProxies } from "./proxies.ts";
import { openRegistries } from "./registries.ts";
import { createRequestWatch } from "./request-watch.ts";
import { readRouteNames } from "./route-names.ts";
import { createSecurityHeaders } from "./security-headers.ts";
import { provideServices, services } from "./services.ts";
import { createSpanReader } from "./span-reader.ts";
import { openTelegram } from "./telegram.ts";
import { openTelemetry } from "./telemetry.ts";
import { steadyClock, wallClock } from "./wall-clock.ts";

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
  const logger = createLogger(config.logLevel, config.redaction.logs);
  installLastWords(logger);
  const metrics = createMetrics();
  const bus = createBus();
  const drafts = createDrafts(bus, [SWITCH_MARKER]);
  const stop = new AbortController();
  const { signal: stopping } = stop;
  // Each open stream listens to it.
  setMaxListeners(0, stopping);

  const { stored } = config.redaction;
  const storage = await openData({
    dataDir: config.dataDir,
    durability: config.durability,
    onCommit: bus.publish,
    onWrite: metrics.commit,
    ...(stored.length > 0 && { redact: (value) => redactJson(value, stored) }),
    logger,
  });
  opened.defer(() => storage.close());
  const longReads = createLongReads(join(config.dataDir, DATABASE_FILE), logger);
  opened.defer(() => longReads.close());

  const checker = createSchemaChecker();
  const planThreads = createPlanThreads(logger);
  opened.defer(() => planThreads.close());
  const waysOut = createWaysOut(config.privateHosts);
  const outside = await openOutside(config, { waysOut, logger });
  opened.defer(() => outside.close());
  const registries = await openRegistries({ config, storage, checker, waysOut, logger, crm: outside.crm });
  opened.defer(() => registries.close());
  const mainGraph = createMainGraph();
  const model = metrics.model(outside.model);
  const engine = createEngine({
    ...registries,
    journal: metrics.journal(createJournal(storage.log, storage.runs, storage.conversations)),
    model: config.model && model,
    talker: model,
    memory: createMemory(storage.agentStates),
    prompts: createPrompts({ logger, debug: config.debugPrompts }),
    director: createDirector({ mainGraph, ...registries, ...storage, logger }),
    drafts,
    isolation: createIsolation(storage),
    allowance: openAllowance(config, registries, storage),
    runs_at_once: config.limits.runs,
    dialog: {
      ...createChains(storage.agentStates),
      ...{ speech, before: (...place) => historyBefore(storage.messages, ...place) },
    },
    checker,
    plan_threads: planThreads,
    clock: wallClock,
    random: Math.random,
    logger,
  });
  opened.defer(() => engine.stop());

  const pages = Promise.withResolvers<RequestListener>();
  const access = await openAccess(config, { ...storage, waysOut, logger });
  opened.defer(async () => access.stop());
  const watch = createRequestWatch({ logger, metrics, routeNames: readRouteNames(buildFile("routes-manifest.json")) });
  const front = createFront({
    ...{
      guard: createGuard({ ...config, publicUrl: config.access.publicUrl }),
      watch,
      logger,
      stopping,
      dev,
      pages: pages.promise,
    },
    headers: createSecurityHeaders({ dev, https: config.access.publicUrl?.startsWith("https:") ?? false }),
    limits: await createRequestLimits(config.limits),
    bodies: createBodyLimit(config.limits.body),
    proxies: createProxies(config.access),
    gate: createGate(access, dev),
  });
  const port = await listen(front, config.host, config.port);
  opened.defer(() => closeFront(front));

  const turns = createTurns({ engine, ...registries, ...storage });
  const isQuiet = (at: number) => quietFor(config.notify.quiet, at) > 0;
  const telegram = await openTelegram(config.telegram, {
    ...registries,
    ...storage,
    turns,
    bus,
    waysOut,
    logger,
    stopping,
    isQuiet,
  });
  opened.defer(async () => telegram?.stop());
  const spanReader = createSpanReader(logger);
  opened.defer(() => spanReader.close());
  const traces = createTraces({
    ...{ ...storage, receive: spanReader.receive, clock: steadyClock, settle: config.otlpSettle },
    ...{ logger, stopping },
  });
  opened.defer(() => traces.stop());
  const agUiRuns = createAgUiRuns({ ...storage, clock: wallClock, patience: AG_UI_PATIENCE_MS, logger });
  opened.defer(() => agUiRuns.stop());
  const telemetry = await openTelemetry(config, { ...storage, bus, waysOut, logger });
  opened.defer(async () => telemetry?.stop());
  const address = `http://${config.host.includes(":") ? `[${config.host}]` : config.host}:${port}`;
  const notices = await openNotices(config, { ...registries, ...storage, telegram, bus, waysOut, address, logger });
  opened.defer(() => notices.stop());
  const privacy = await openPrivacy(config, { storage, engine, logger });
  opened.defer(() => privacy.stop());
  const promptTrials = createPromptTrials({ ...registries, ...storage, readMemory, now: wallClock.now });
  provideServices({
    config,
    api: createApiHandlers(),
    access,
    bus,
    drafts,
    logger,
    metrics,
    stopping,
    engine,
    turns,
    mainGraph,
    forks: createForks({ engine, ...storage }),
    imports: new ImportsUnderWay(),
    readImport: (bytes, options) =>
      readImport(bytes, {
        readCheckpoints: (file) => readCheckpoints(file, { folder: importsFolder(config.dataDir) }),
        ...options,
      }),
    promptTrials,
    ...registries,
    ...storage,
    longReads,
    erasures: privacy.erasures,
    retention: privacy.retention,
    telegram,
    notices,
    traces,
    agUiRuns,
    mcp: createMcp(services),
  });
  metrics.watch({
    ...{ storage: storage.measures, runs: () => engine.count(), http: watch.open, now: wallClock.now },
    telegram: telegram?.behind,
    telemetry: telemetry?.behind,
  });
  const [console] = await Promise.all([
    openConsole({ dev, server: front, host: config.host, port, logger }),
    config.demo ? fillWithDemo(storage) : undefined,
    // Before the first request, so that whoever decides finds the run that waits for it.
    engine.recover(),
  ]);
  opened.defer(() => console.close());
  outliveRejections(logger);
  privacy.start();
  await traces.start();
  await telemetry?.start();
  await telegram?.start();
  await notices.start();
  pages.resolve(console.handle);

  const running = opened.move();
  return {
    address,
    async stop() {
      stop.abort();
      // Before the runs tell what they have: what a tool has done must not be forgotten where the disk is full.
      storage.makeRoom();
      // Beside what waits for requests to end: processes of tools take their time, too.
      const tools = engine.stop().then(() => registries.close());
      await Promise.all([tools, running.disposeAsync()]);
    },
  };
}
