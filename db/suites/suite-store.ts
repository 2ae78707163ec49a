import type { PlainDatabase, Statement } from "../plain-database.ts";
import {
  type AgentVersionRow,
  KEPT_SUITE_RUNS,
  type PromotionRow,
  type SuiteCaseRow,
  type SuiteRow,
  type SuiteRunRow,
  type SuiteStore,
  type SuiteTryRow,
} from "../suites.ts";
import { toIso } from "../times.ts";

const RUN = `id, suite, agent_id, version, model, rule, tries, cases, status, error, done, total,
  started_at, started_by, finished_at`;
const NEWEST = `SELECT id FROM suite_runs AS newest WHERE newest.suite = suites.name ORDER BY id DESC LIMIT 1`;

/** Suites in either storage: the same statements. */
export function createSuiteStore({ rows, write, epoch, writeUnlessErased, now, forShare }: PlainDatabase): SuiteStore {
  const isWritten = async (...statement: Statement) => (await write([statement]))[0] === 1;
  const has = async (name: string) => (await rows("SELECT 1 FROM suites WHERE name = $1", [name])).length > 0;
  const newSuite = (name: string, by: string, most: number): Statement => [
    `INSERT INTO suites (name, created_at, created_by)
     SELECT $1, ${now}, $2 WHERE (SELECT count(*) FROM suites) < $3 ON CONFLICT (name) DO NOTHING`,
    [name, by, most],
  ];
  const open = `id = $1 AND worker = $2 AND finished_at IS NULL AND status = 'running'`;

  return {
    async list() {
      const found = await rows<
        Pick<SuiteRow, "name" | "cases" | "created_by"> & { created_at: number; run_id: string | null }
      >(
        `SELECT name, created_at, created_by, (${NEWEST}) AS run_id,
           (SELECT count(*) FROM suite_cases WHERE suite = suites.name) AS cases
         FROM suites ORDER BY name`,
        [],
      );
      const newest = await rows<RunRow>(
        `SELECT ${RUN} FROM suite_runs WHERE id IN (SELECT (${NEWEST}) FROM suites)`,
        [],
      );
      const counted = await rows<{ run_id: string; tried: number; passed: number }>(
        `SELECT run_id, count(*) AS tried, CAST(sum(passed) AS bigint) AS passed FROM (
           SELECT run_id, case_id, min(CASE WHEN outcome = 'passed' THEN 1 ELSE 0 END) AS passed FROM suite_tries
           WHERE run_id IN (SELECT (${NEWEST}) FROM suites) GROUP BY run_id, case_id
         ) AS by_case GROUP BY run_id`,
        [],
      );
      const runs = new Map(newest.map((row) => [row.id, toRun(row)]));
      const counts = new Map(counted.map(({ run_id, ...row }) => [run_id, row]));
      return found.map(({ run_id, created_at, ...row }) => ({
        ...row,
        created_at: toIso(created_at),
        run: runs.get(run_id ?? "") ?? null,
        ...(counts.get(run_id ?? "") ?? { tried: 0, passed: 0 }),
      }));
    },
    has,
    async create(name, by, most) {
      if (await isWritten(...newSuite(name, by, most))) return "created";
      return (await has(name)) ? "exists" : "full";
    },
    async remove(name) {
      const written = await write([
        ["DELETE FROM suite_cases WHERE suite = $1", [name]],
        ["DELETE FROM suite_tries WHERE run_id IN (SELECT id FROM suite_runs WHERE suite = $1)", [name]],
        ["DELETE FROM suite_runs WHERE suite = $1", [name]],
        ["DELETE FROM suites WHERE name = $1", [name]],
      ]);
      return written.at(-1) === 1;
    },

    async cases(suite) {
      const found = await rows<Omit<SuiteCaseRow, "tags" | "created_at"> & { tags: string; created_at: number }>(
        `SELECT id, title, tags, conversation_id, calls, created_at, created_by FROM suite_cases
         WHERE suite = $1 ORDER BY created_at, id`,
        [suite],
      );
      return found.map((row) => ({ ...row, tags: JSON.parse(row.tags), created_at: toIso(row.created_at) }));
    },
    async content(suite, id) {
      const [row] = await rows<{ content: string }>("SELECT content FROM suite_cases WHERE suite = $1 AND id = $2", [
        suite,
        id,
      ]);
      return row?.content ?? null;
    },
    tools: async (suite) =>
      (
        await rows<{ tools: string }>("SELECT DISTINCT tools FROM suite_cases WHERE suite = $1 ORDER BY tools", [suite])
      ).map(({ tools }) => tools),
    epoch,
    async addCase(suite, { id, title, tags, conversation_id, calls, content, tools, users }, by, most) {
      const written = await writeUnlessErased({ id: conversation_id, epoch: most.epoch }, [
        newSuite(suite, by, most.suites),
        [
          `INSERT INTO suite_cases (suite, id, conversation_id, title, tags, calls, created_at, created_by, tools, content, users)
           SELECT $1, $2, $3, $4, $5, $6, ${now}, $7, $8, $9, $11
           WHERE (SELECT count(*) FROM suite_cases WHERE suite = $1) < $10 AND EXISTS (SELECT 1 FROM suites WHERE name = $1)
           ON CONFLICT (suite, id) DO NOTHING`,
          [
            ...[suite, id, conversation_id, title, JSON.stringify(tags), calls, by],
            ...[JSON.stringify(tools), content, most.cases, JSON.stringify(users)],
          ],
        ],
      ]);
      if (written === null) return "erased";
      if (written[1] === 1) return "added";
      const known = await rows("SELECT 1 FROM suite_cases WHERE suite = $1 AND id = $2", [suite, id]);
      if (known.length > 0) return "exists";
      return (await has(suite)) ? "full" : "too_many_suites";
    },
    changeCase: (suite, { id, title, tags, calls, content }, before) =>
      isWritten(
        `UPDATE suite_cases SET title = $3, tags = $4, calls = $5, content = $6
         WHERE suite = $1 AND id = $2 AND content = $7`,
        [suite, id, title, JSON.stringify(tags), calls, content, before],
      ),
    hasCaseOf: async (id) =>
      (await rows("SELECT 1 FROM suite_cases WHERE conversation_id = $1 LIMIT 1", [id])).length > 0,
    async removeCase(suite, id) {
      const written = await write([
        // First the case: a try that is being stored holds it, and is removed next.
        ["DELETE FROM suite_cases WHERE suite = $1 AND id = $2", [suite, id]],
        [
          `DELETE FROM suite_tries WHERE case_id = $2 AND run_id IN (SELECT id FROM suite_runs WHERE suite = $1)`,
          [suite, id],
        ],
      ]);
      return written[0] === 1;
    },

    runs: async (suite, limit) =>
      (
        await rows<RunRow>(`SELECT ${RUN} FROM suite_runs WHERE suite = $1 ORDER BY id DESC LIMIT $2`, [suite, limit])
      ).map(toRun),
    async run(id) {
      const [row] = await rows<RunRow>(`SELECT ${RUN} FROM suite_runs WHERE id = $1`, [id]);
      return row ? toRun(row) : null;
    },
    async addRun({ id, suite, agent_id, version, model, rule, tries, cases, total, started_by }, worker) {
      const forgotten = `SELECT id FROM suite_runs WHERE suite = $1 AND finished_at IS NOT NULL
          AND EXISTS (SELECT 1 FROM suite_runs AS added WHERE added.id = $2)
        ORDER BY id DESC LIMIT ${FORGOTTEN} OFFSET ${KEPT_SUITE_RUNS - 1}`;
      const run = [id, suite, agent_id, version, model, rule, tries, JSON.stringify(cases), total, worker, started_by];
      // Who removes a case meanwhile waits, and then finds the run. Before all else: they lock the case first, too.
      const marks = cases.map((_, index) => `$${run.length + index + 1}`).join(", ");
      const held = `SELECT 1 FROM suite_cases WHERE suite = $2 AND id IN (${marks}) ${forShare}`;
      const [added] = await write([
        [
          `INSERT INTO suite_runs (id, suite, agent_id, version, model, rule, tries, cases, status, error, done, total,
             worker, started_at, started_by, seen_at, finished_at)
           SELECT $1, $2, $3, $4, $5, $6, $7, $8, 'queued', NULL, 0, $9, $10, ${now}, $11, ${now}, NULL
           WHERE (SELECT count(*) FROM (${held}) AS held) = ${cases.length}`,
          [...run, ...cases],
        ],
        [`DELETE FROM suite_tries WHERE run_id IN (${forgotten})`, [suite, id]],
        [`DELETE FROM suite_runs WHERE id IN (${forgotten})`, [suite, id]],
      ]);
      return added === 1;
    },
    startRun: (id, worker) =>
      isWritten(
        `UPDATE suite_runs SET status = 'running', seen_at = ${now} WHERE id = $1 AND worker = $2 AND status = 'queued'`,
        [id, worker],
      ),
    seeRun: (id, worker) =>
      isWritten(`UPDATE suite_runs SET seen_at = ${now} WHERE id = $1 AND worker = $2 AND finished_at IS NULL`, [
        id,
        worker,
      ]),
    async addTry(id, worker, { case_id, number, outcome, brief, result }) {
      // The case is locked before the run, as by those who remove it: a count is always read, and any will do.
      const held = `SELECT 1 FROM suite_cases WHERE id = $3 AND suite = (SELECT suite FROM suite_runs WHERE id = $1) ${forShare}`;
      const [seen] = await write([
        [
          `UPDATE suite_runs SET seen_at = ${now}, done = done + 1
           WHERE ${open} AND (SELECT count(*) FROM (${held}) AS held) >= 0`,
          [id, worker, case_id],
        ],
        [
          `INSERT INTO suite_tries (run_id, case_id, number, outcome, brief, result)
           SELECT $1, $3, $4, $5, $6, $7 WHERE EXISTS (
             SELECT 1 FROM suite_runs JOIN suite_cases ON suite_cases.suite = suite_runs.suite AND suite_cases.id = $3
             WHERE suite_runs.id = $1 AND worker = $2 AND finished_at IS NULL AND status = 'running')`,
          [id, worker, case_id, number, outcome, brief, result],
        ],
      ]);
      return seen === 1;
    },
    endRun: (id, status, error) =>
      isWritten(
        `UPDATE suite_runs SET status = $2, error = $3, finished_at = ${now} WHERE id = $1 AND finished_at IS NULL`,
        [id, status, error],
      ),
    async interruptRuns(worker, unseenMs) {
      const [count = 0] = await write([
        [
          `UPDATE suite_runs SET status = 'interrupted', finished_at = ${now}
           WHERE finished_at IS NULL AND worker <> $1 AND seen_at <= ${now} - $2`,
          [worker, unseenMs],
        ],
      ]);
      return count;
    },
    tries: (runId) =>
      rows<SuiteTryRow>(
        "SELECT case_id, number, outcome, brief FROM suite_tries WHERE run_id = $1 ORDER BY case_id, number",
        [runId],
      ),
    async result(runId, caseId, number) {
      const [row] = await rows<{ result: string }>(
        "SELECT result FROM suite_tries WHERE run_id = $1 AND case_id = $2 AND number = $3",
        [runId, caseId, number],
      );
      return row?.result ?? null;
    },

    async addVersion({ agent_id, version, definition, created_by }) {
      await write([
        [
          `INSERT INTO agent_versions (agent_id, version, definition, created_at, created_by)
           VALUES ($1, $2, $3, ${now}, $4)
           ON CONFLICT (agent_id, version) DO UPDATE SET created_at = excluded.created_at`,
          [agent_id, version, JSON.stringify(definition), created_by],
        ],
      ]);
    },
    async forgetVersions(unusedMs) {
      await write([
        [
          `DELETE FROM agent_versions WHERE created_at <= ${now} - $1
             AND NOT EXISTS (SELECT 1 FROM suite_runs AS run
               WHERE run.agent_id = agent_versions.agent_id AND run.version = agent_versions.version)
             AND NOT EXISTS (SELECT 1 FROM agent_promotions AS given WHERE given.agent_id = agent_versions.agent_id
               AND agent_versions.version IN (given.version, given.before))`,
          [unusedMs],
        ],
      ]);
    },
    async version(agentId, version) {
      const [row] = await rows<Omit<AgentVersionRow, "definition" | "created_at"> & VersionText>(
        `SELECT agent_id, version, definition, created_at, created_by FROM agent_versions
         WHERE agent_id = $1 AND version = $2`,
        [agentId, version],
      );
      return row ? { ...row, definition: JSON.parse(row.definition), created_at: toIso(row.created_at) } : null;
    },
    async addPromotion({ id, agent_id, version, before, run_id, promoted_by }) {
      await write([
        [
          `INSERT INTO agent_promotions (id, agent_id, version, before, run_id, promoted_at, promoted_by)
           VALUES ($1, $2, $3, $4, $5, ${now}, $6)`,
          [id, agent_id, version, before, run_id, promoted_by],
        ],
      ]);
    },
    async promotions(agentId, limit) {
      const found = await rows<Omit<PromotionRow, "promoted_at"> & { promoted_at: number }>(
        `SELECT id, agent_id, version, before, run_id, promoted_at, promoted_by FROM agent_promotions
         WHERE agent_id = $1 ORDER BY id DESC LIMIT $2`,
        [agentId, limit],
      );
      return found.map((row) => ({ ...row, promoted_at: toIso(row.promoted_at) }));
    },
  };
}

/** At most so many runs are forgotten at a time. */
const FORGOTTEN = 100;

interface VersionText {
  definition: string;
  created_at: number;
}

interface RunRow extends Omit<SuiteRunRow, "cases" | "started_at" | "finished_at"> {
  cases: string;
  started_at: number;
  finished_at: number | null;
}

function toRun({ cases, started_at, finished_at, ...row }: RunRow): SuiteRunRow {
  return {
    ...row,
    cases: JSON.parse(cases),
    started_at: toIso(started_at),
    finished_at: finished_at === null ? null : toIso(finished_at),
  };
}
