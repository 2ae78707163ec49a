import { randomUUID } from "node:crypto";
import { setMaxListeners } from "node:events";
import type { RequestListener } from "node:http";
import { setTimeout } from "node:timers/promises";
import { readCheckpoints } from "../../db/foreign/langgraph.ts";
import { importsFolder } from "../../db/import/spool.ts";
import { followRules } from "../alert-rules/follow-rules.ts";
import { createChains } from "../dialog/chain.ts";
import { historyBefore } from "../dialog/history.ts";
import { createDirector } from "../dialog/main-graph/director.ts";
import { SWITCH_MARKER } from "../dialog/main-graph/switch-marker.ts";
import { createPromptPreviews } from "../dialog/prompts/prompt-previews.ts";
import { createPrompts } from "../dialog/prompts/prompts.ts";
import { speech } from "../dialog/speech.ts";
import { createTurns } from "../dialog/turns.ts";
import { createEngine } from "../engine/create-engine.ts";
import { createSchemaChecker } from "../engine/json-schema.ts";
import { createForks } from "../fork/forks.ts";
import { createIsolation } from "../fork/isolation.ts";
import { ImportsInProgress } from "../intake/imports-in-progress.ts";
import { readImport } from "../intake/read-import.ts";
import { createMcp } from "../mcp/mcp.ts";
import { createModel } from "../model/model-client.ts";
import { quietFor } from "../notify/quiet-hours.ts";
import { createEgressPolicy } from "../outgoing/egress.ts";
import { redactJson } from "../redaction/redact.ts";
import { createSuiteRuns } from "../suites/run/suite-runs.ts";
import { createAgUiRuns } from "../traces/ag-ui-runs.ts";
import { createTraces } from "../traces/traces.ts";
import { createBus } from "./bus.ts";
import type { Config } from "./config.ts";
import { createDrafts } from "./drafts.ts";
import { type ApiHandlers, createApiHandlers } from "./front/api-handlers.ts";
import { buildFile, openConsole } from "./front/console/console.ts";
import { closeFront, createFront, listen } from "./front/front.ts";
import { createGate } from "./front/gate.ts";
import { createGuard } from "./front/guard.ts";
import { createBodyLimit } from "./front/limits/limit-bodies.ts";
import { createRequestLimits } from "./front/limits/limit-requests.ts";
import { createProxies } from "./front/proxies.ts";
import { createRequestWatch } from "./front/request-watch.ts";
import { readRouteNames } from "./front/route-names.ts";
import { createSecurityHeaders } from "./front/security-headers.ts";
import { createLogger } from "./logger.ts";
import { createMetrics } from "./metrics/metrics.ts";
import { provideServices, services } from "./services.ts";
import { shareDrafts } from "./shared-drafts.ts";
import { createCaseWork } from "./threads/case-work.ts";
import { createLongReads } from "./threads/long-reads.ts";
import { createMainGraphThread } from "./threads/main-graph.ts";
import { createPlanThreads } from "./threads/plan-threads.ts";
import { createSpanReader } from "./threads/span-reader.ts";
import { createSuiteThreads } from "./threads/suite-threads.ts";
import { logUncaughtErrors, tolerateRejections } from "./uncaught-errors.ts";
import { steadyClock, wallClock } from "./wall-clock.ts";
import { openAccess } from "./wiring/access.ts";
import { openAllowance } from "./wiring/allowance.ts";
import { openBundledServers } from "./wiring/bundled-servers.ts";
import { seedDemo } from "./wiring/demo.ts";
import { openEvaluators, openJudging } from "./wiring/evaluators.ts";
import { createJournal } from "./wiring/journal.ts";
import { createMemory, readMemory } from "./wiring/memory.ts";
import { openNotices } from "./wiring/notify.ts";
import { logPlaceOf, openData } from "./wiring/open-data.ts";
import { openOwnership } from "./wiring/ownership.ts";
import { openPrivacy } from "./wiring/privacy.ts";
import { openRegistries } from "./wiring/registries.ts";
import { openTelegram } from "./wiring/telegram.ts";
import { openTelemetry } from "./wiring/telemetry.ts";

/** An AG-UI run counts as interrupted after this time without a request. */
const AG_UI_PATIENCE_MS = 60_000;

/** A running server. */
export interface RunningServer {
  /** `http://127.0.0.1:3000` */
  address: string;
  /**
   * Ends streams, lets requests finish, writes what is queued and closes the database; within two seconds. A replica that
   * was ready, so that a load balancer may send it requests, first goes on for its shutdown delay.
   */
  stop(options: { wasReady: boolean }): Promise<void>;
}

/**
 * The composition root: opens storage, binds the port, starts Next and wires them. Closes everything if a step fails.
 * Throws `StartupError` for what the operator can fix.
 */
export async function startServer(config: Config, { dev }: { dev: boolean }): Promise<RunningServer> {
  await using opened = new AsyncDisposableStack();
  const logger = createLogger(config.logLevel, config.redaction.logs);
  logUncaughtErrors(logger);
  const metrics = createMetrics();
  const bus = createBus();
  const stop = new AbortController();
  const { signal: stopping } = stop;
  const drain = new AbortController();
  // Each open stream adds a listener.
  setMaxListeners(0, stopping);

  const { stored } = config.redaction;
  const storage = await openData(config, {
    onCommit: bus.publish,
    onWrite: metrics.commit,
    ...(stored.length > 0 && { redact: (value) => redactJson(value, stored) }),
    logger,
  });
  opened.defer(() => storage.close());
  const { replicas } = storage;
  const ownDrafts = createDrafts(bus, [SWITCH_MARKER]);
  const drafts = replicas.name === null ? ownDrafts : shareDrafts(ownDrafts, replicas);
  const longReads = createLongReads(logPlaceOf(config), logger);
  opened.defer(() => longReads.close());

  const checker = createSchemaChecker();
  const planThreads = createPlanThreads(logger);
  opened.defer(() => planThreads.close());
  const openEgress = createEgressPolicy(config.privateHosts);
  const outside = await openBundledServers(config, { openEgress, logger });
  opened.defer(() => outside.close());
  const registries = await openRegistries({ config, storage, checker, openEgress, logger, crm: outside.crm });
  opened.defer(() => registries.close());
  await storage.rollup.usePrices(registries.prices);
  const mainGraph = createMainGraphThread(logger);
  opened.defer(() => mainGraph.close());
  const model = metrics.model(outside.model);
  const ownership = await openOwnership(config, { ...storage, bus, logger });
  opened.defer(() => ownership?.stop());
  const engine = createEngine({
    ...registries,
    ownership,
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
  const suiteRuns = createSuiteRuns({
    store: storage.suites,
    workers: createSuiteThreads({ config, endpoint: outside.endpoint }),
    judges: registries.judges,
    worker: replicas.name ?? randomUUID(),
    isAlone: replicas.name === null,
    logger,
  });
  opened.defer(() => suiteRuns.stop());
  await suiteRuns.start();
  const caseWork = createCaseWork(logPlaceOf(config), logger);
  opened.defer(() => caseWork.close());

  const answers = Promise.withResolvers<{ api: ApiHandlers; pages: RequestListener }>();
  const access = await openAccess(config, { ...storage, openEgress, logger });
  opened.defer(async () => access.stop());
  const watch = createRequestWatch({ logger, metrics, routeNames: readRouteNames(buildFile("routes-manifest.json")) });
  const front = createFront({
    ...{
      guard: createGuard({ ...config, publicUrl: config.access.publicUrl }),
      watch,
      logger,
      stopping,
      draining: drain.signal,
      dev,
      answers: answers.promise,
    },
    headers: createSecurityHeaders({ dev, https: config.access.publicUrl?.startsWith("https:") ?? false }),
    limits: await createRequestLimits(config.limits, replicas),
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
    openEgress,
    logger,
    stopping,
    isQuiet,
  });
  const spanReader = createSpanReader(logger);
  opened.defer(() => spanReader.close());
  const traces = createTraces({
    ...{ ...storage, ...spanReader, clock: steadyClock, settle: config.otlpSettle },
    ...{ logger, stopping },
  });
  opened.defer(() => traces.stop());
  const agUiRuns = createAgUiRuns({ ...storage, clock: wallClock, patience: AG_UI_PATIENCE_MS, logger });
  opened.defer(() => agUiRuns.stop());
  const telemetry = await openTelemetry(config, { ...storage, bus, openEgress, logger });
  const evaluating = await openEvaluators(config, { ...registries, ...storage, bus, logger });
  const judging = openJudging(config, {
    ...{ ...registries, ...storage, bus, logger },
    modelOf: (name) => (name === null ? outside.model : createModel({ ...outside.endpoint, model: name, openEgress })),
  });
  const address = `http://${config.host.includes(":") ? `[${config.host}]` : config.host}:${port}`;
  const notices = await openNotices(config, { ...registries, ...storage, telegram, bus, openEgress, address, logger });
  const ruleFollower = followRules({
    ...{ ...registries, ...storage, bus, clock: wallClock, logger },
    ...{ canTell: notices.channels.length > 0, onTold: notices.news, newId: randomUUID },
  });
  const privacy = await openPrivacy(config, { storage, engine, logger });
  const promptTrials = createPromptPreviews({ ...registries, ...storage, readMemory, now: wallClock.now });
  const api = createApiHandlers();
  provideServices({
    config,
    api,
    access,
    bus,
    drafts,
    logger,
    metrics,
    stopping,
    draining: drain.signal,
    engine,
    turns,
    mainGraph,
    forks: createForks({ engine, ...storage }),
    imports: new ImportsInProgress(),
    readImport: (bytes, options) =>
      readImport(bytes, {
        readCheckpoints: (file) => readCheckpoints(file, { folder: importsFolder(config.dataDir) }),
        ...options,
      }),
    promptTrials,
    ...registries,
    ...storage,
    suiteRuns,
    caseWork,
    models: { name: outside.endpoint.model },
    longReads,
    erasures: privacy.erasures,
    retention: privacy.retention,
    telegram,
    notices,
    ruleFollower,
    traces,
    agUiRuns,
    mcp: createMcp(services),
  });
  metrics.watch({
    ...{
      replica: replicas.name,
      storage: storage.measures,
      runs: () => engine.count(),
      http: watch.open,
      now: wallClock.now,
    },
    telegram: telegram?.behind,
    telemetry: telemetry?.behind,
  });
  if (config.demo) {
    const seeding = { start: () => seedDemo(storage, config.demoLocale), stop: async () => undefined };
    opened.defer(await replicas.asLeader(seeding));
  }
  const [console] = await Promise.all([
    openConsole({ dev, server: front, host: config.host, port, load: config.preloadPages, logger }),
    // Before the first request, so that decisions find the runs that wait for them.
    engine.recover(),
  ]);
  opened.defer(() => console.close());
  tolerateRejections(logger);
  await traces.start();
  // Once in the whole system.
  const endTasks = await replicas.asLeader({
    async start() {
      privacy.start();
      await telemetry?.start();
      await telegram?.start();
      await notices.start();
      await evaluating?.start();
      await judging.start();
      await ruleFollower.start();
    },
    async stop() {
      await Promise.all([
        privacy.stop(),
        telemetry?.stop(),
        telegram?.stop(),
        notices.stop(),
        evaluating?.stop(),
        judging.stop(),
        ruleFollower.stop(),
      ]);
    },
  });
  opened.defer(endTasks);
  answers.resolve({ api, pages: console.handle });
  if (config.preloadPages) void console.preload();

  const running = opened.move();
  return {
    address,
    async stop({ wasReady }) {
      drain.abort();
      if (config.database !== null && wasReady) await setTimeout(config.database.shutdownDelay);
      stop.abort();
      // Before runs write their results: the result of a tool must not be lost because the disk is full.
      storage.makeRoom();
      // Concurrently with requests in progress: processes of tools take time, too.
      const tools = engine.stop().then(() => registries.close());
      await Promise.all([tools, running.disposeAsync()]);
    },
  };
}
