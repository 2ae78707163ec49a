import type { JsonObject } from "../../lib/session/json/json.ts";
import { Random } from "./random.ts";
import { type Choice, type SeedEvent, type Seeding, SessionRecorder } from "./seeding.ts";

const AGENT = "month-end";
const ACCOUNTS_A_REGION = 12;
/** The order of tools: a wave starts when all that it reads has finished. */
const ORDER = ["ledger.periods.open", "accounts.list", "invoices.list", "payments.match", "ledger.post", "mail.send"];
/** How many calls start together. */
const WAVE = 200;
/** The share of calls that have ended: the run is still active. */
const SETTLED = 0.94;

type PlannedCall = { _tool: string; _id: string; _outputPath: string } & JsonObject;

/** A plan with very many calls: it fans out over regions and accounts, and ends in a report. */
export function widePlan({ seed, size, now }: Choice): Seeding {
  const id = `seed-wide-plan-${size}-${seed}`;
  const calls = planOf(size);
  return {
    total: 8 + size * 3,
    events: recordPlan(new SessionRecorder(id, now - size * 40 - 60_000), new Random(seed), calls),
    open: [{ path: `/conversations/${id}`, shows: `a plan of ${calls.length.toLocaleString("en")} calls` }],
  };
}

/** This many calls, each after those whose results it reads. */
function planOf(size: number): PlannedCall[] {
  const calls: PlannedCall[] = [
    { _tool: "ledger.periods.open", _id: "period", month: "†input.month", _outputPath: "†state.period" },
  ];
  for (let account = 0; calls.length < size; account += 1) {
    const region = Math.floor(account / ACCOUNTS_A_REGION);
    if (account % ACCOUNTS_A_REGION === 0) calls.push(openRegion(region));
    calls.push(...accountCalls(account, region));
  }
  const kept = calls.slice(0, Math.max(1, size - 1));
  return size > 1 ? [...kept, report(kept)] : kept;
}

function openRegion(region: number): PlannedCall {
  return {
    _tool: "accounts.list",
    _id: `region_${region}`,
    period: "†state.period.id",
    region,
    _outputPath: `†state.regions.r${region}`,
  };
}

/** The calls of an account: invoices are read and matched, matches posted, and the owner notified. */
function accountCalls(account: number, region: number): PlannedCall[] {
  const own = `†state.accounts.a${account}`;
  return [
    {
      _tool: "invoices.list",
      _id: `read_${account}`,
      account: `†state.regions.r${region}.first`,
      _outputPath: `${own}.invoices`,
    },
    {
      _tool: "payments.match",
      _id: `match_${account}`,
      invoices: `${own}.invoices`,
      _outputPath: `${own}.matched`,
    },
    { _tool: "ledger.post", _id: `post_${account}`, entries: `${own}.matched.entries`, _outputPath: `${own}.posted` },
    {
      _tool: "mail.send",
      _id: `tell_${account}`,
      text: `${own}.posted && ${own}.invoices`,
      _outputPath: `${own}.told`,
    },
  ];
}

/** Reads the first account of some regions: thousands would not fit on a screen. */
function report(calls: readonly PlannedCall[]): PlannedCall {
  const posted = calls.filter(({ _tool }) => _tool === "ledger.post").map(({ _outputPath }) => _outputPath);
  const read = posted.filter((_, index) => index % ACCOUNTS_A_REGION === 0).slice(0, 24);
  return {
    _tool: "report.close",
    _id: "report",
    posted: read.length > 0 ? read.join(" && ") : "†state.period.id",
    _outputPath: "†state.report",
  };
}

function* recordPlan(recorder: SessionRecorder, random: Random, calls: PlannedCall[]): Generator<SeedEvent> {
  const from = { actor: `agent:${AGENT}`, agent: AGENT, run: `${recorder.conversation}:run-1` };
  const title = `Month end: ${calls.length.toLocaleString("en")} calls`;
  yield recorder.tell("conversation.created", { title, channel: "api", user_id: "svc-ledger" }, { actor: "system" });
  const wish = "Close November: match every account's invoices with its payments, post what matches, tell the owners.";
  yield recorder.say("user", wish, "svc-ledger", { actor: "user:svc-ledger" }, 100);
  yield recorder.tell("run.started", { input: { month: "2026-11" } }, from, 20);
  yield recorder.tell("run.iteration", { iteration: 1 }, from, 5);
  yield recorder.tell("plan.proposed", { iteration: 1, calls }, from, 4_200);
  yield recorder.tell("plan.validated", { iteration: 1, problems: [] }, from, 300);
  const broken = new Set<string>();
  const waves = wavesOf(calls);
  let left = Math.floor(calls.length * SETTLED);
  for (const wave of waves) {
    if (left <= 0) return;
    yield* recordWave(recorder, random, { wave, settled: left, broken }, from);
    left -= wave.length;
  }
}

function wavesOf(calls: readonly PlannedCall[]): PlannedCall[][] {
  const steps = [...ORDER, "report.close"].map((tool) => calls.filter(({ _tool }) => _tool === tool));
  return steps.flatMap((step) =>
    Array.from({ length: Math.ceil(step.length / WAVE) }, (_, index) => step.slice(index * WAVE, (index + 1) * WAVE)),
  );
}

interface Wave {
  wave: readonly PlannedCall[];
  /** How many have ended; the others are running. */
  settled: number;
  /** State paths that will not be written any more. */
  broken: Set<string>;
}

/** Emits a wave of calls; those that read the result of a failed one are blocked. */
function* recordWave(
  recorder: SessionRecorder,
  random: Random,
  { wave, settled, broken }: Wave,
  from: { actor: string; agent: string; run: string },
): Generator<SeedEvent> {
  const blocked = wave.filter((call) => readsBroken(call, broken));
  for (const call of wave) {
    const named = { call_id: call._id, iteration: 1, tool: call._tool };
    if (!blocked.includes(call)) yield recorder.tell("call.started", { ...named, attempt: 1 }, from, 1);
    else yield recorder.tell("call.blocked", { ...named, reason: "waits for what can no longer arrive" }, from, 1);
  }
  for (const call of blocked) broken.add(call._outputPath);
  const running = wave.filter((call) => !blocked.includes(call));
  for (const call of running.slice(0, settled)) yield* end(recorder, random, { call, broken }, from);
}

function* end(
  recorder: SessionRecorder,
  random: Random,
  { call, broken }: { call: PlannedCall; broken: Set<string> },
  from: { actor: string; agent: string; run: string },
): Generator<SeedEvent> {
  const named = { call_id: call._id, iteration: 1, tool: call._tool };
  const tool = { ...from, actor: `tool:${call._tool}` };
  const isRoot = call._tool === "ledger.periods.open" || call._tool === "accounts.list";
  if (!isRoot && random.chance(0.004)) {
    broken.add(call._outputPath);
    const error = { code: "LEDGER_LOCKED", message: "Somebody else has this account open" };
    yield recorder.tell("call.failed", { ...named, error }, tool, random.between(5, 30));
    return;
  }
  const output = { id: random.between(1_000, 9_999), first: random.between(1, 900), entries: random.between(1, 40) };
  yield recorder.tell("call.succeeded", { ...named, output }, tool, random.between(5, 60));
  yield recorder.tell(
    "state.written",
    { path: call._outputPath, value: output, call_id: call._id, iteration: 1 },
    from,
    1,
  );
}

function readsBroken(call: PlannedCall, broken: ReadonlySet<string>): boolean {
  const read = Object.entries(call).flatMap(([name, value]) => (name.startsWith("_") ? [] : [String(value)]));
  return [...broken].some((path) => read.some((text) => text.includes(path)));
}
