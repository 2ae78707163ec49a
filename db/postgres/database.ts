import { createHash } from "node:crypto";
import pg from "pg";
import { StorageUnreachable } from "../errors.ts";
import { withoutNul } from "./arrays.ts";
import { queryError } from "./errors.ts";

/** Integers of 8 bytes are read as numbers: positions and times stay below 2^53. */
const types = new pg.TypeOverrides();
types.setTypeParser(pg.types.builtins.INT8, Number);

/** A server that does not answer counts as unreachable after this time, ms. */
const PATIENCE_MS = 5_000;

/** So does one that does not answer a query, as when the network drops what is sent. Long reads take less. */
const QUERY_PATIENCE_MS = 30_000;

/**
 * Postgres ends a transaction whose client sends nothing for so long, and frees its locks: the replica is frozen or cut off, ms.
 * Between two statements is only what it takes to decide.
 */
const LONGEST_PAUSE_MS = 10_000;
// Set by a statement: pgBouncer refuses settings with which a connection begins.
export const END_PAUSES = `SET idle_in_transaction_session_timeout = ${LONGEST_PAUSE_MS}`;

/**
 * Sorts and groups of a connection take so much before they go to the disk, MB; groups twice as much. Those of a slice of the
 * overview in two weeks among a million conversations take 26 MB: with 4, as Postgres has it, they took 320 ms instead of 260.
 */
const WORK_MEMORY = "SET work_mem = '16MB'";

/** A plan for any values, which Postgres takes after five times, reads all scores where few are asked for. Planning takes 1 ms. */
const PLAN_EACH = "SET plan_cache_mode = force_custom_plan";

type Single = string | number | bigint | null | Uint8Array;

/** What is sent for a mark in a statement: one value, or an array of them. */
export type Value = Single | readonly Single[];

/** Whoever answers queries: the pool, or one connection with its transaction. */
export interface Queries {
  /** All rows that a statement gives. */
  rows<Row extends object>(text: string, values?: readonly Value[]): Promise<Row[]>;
  /** How many rows a statement wrote. */
  run(text: string, values?: readonly Value[]): Promise<number>;
}

/** A Postgres database: many connections to read, and some to write. */
export interface Database extends Queries {
  /**
   * A connection of one's own. What is sent over it is sent at once, in order, and answered in order, within `patienceMs`, by default
   * half a minute; 0 for no limit, also of its pauses.
   */
  connect(patienceMs?: number): Promise<Session>;
  /** Does `work` in a transaction, and answers when it is on disk if `synced`. What it throws undoes all of it. */
  transaction<T>(synced: boolean, work: (queries: Queries) => Promise<T>): Promise<T>;
  /** How many connections to read there are, and how many queries wait for one. */
  pool(): { open: number; idle: number; waiting: number };
  close(): Promise<void>;
}

export interface Session extends Queries {
  /** Called with each notice of a channel that it listens to. */
  onNotice(heard: (payload: string) => void): void;
  /** Called once, when the connection is lost. */
  onLost(lost: (error: Error) => void): void;
  close(): Promise<void>;
}

/**
 * Prepares to connect to the database of a `postgres://` address, with at most so many connections for reads. They are
 * made when they are needed. Errors are those of `queryError`.
 */
export function openDatabase(url: string, onError: (error: Error) => void, readers = 10): Database {
  const settings = {
    ...{ connectionString: url, types, application_name: "obelus" },
    ...{ connectionTimeoutMillis: PATIENCE_MS, keepAlive: true, keepAliveInitialDelayMillis: PATIENCE_MS },
    query_timeout: QUERY_PATIENCE_MS,
  };
  const onConnect = async (client: pg.ClientBase) =>
    void (await client.query([END_PAUSES, WORK_MEMORY, PLAN_EACH].join("; ")));
  const pool = new pg.Pool({ ...settings, max: readers, onConnect });
  pool.on("error", onError);
  return {
    ...queriesOf(pool),
    async connect(patienceMs = QUERY_PATIENCE_MS) {
      const client = new pg.Client({ ...settings, query_timeout: patienceMs, pipeline: true });
      const losses: ((error: Error) => void)[] = [];
      const lose = (error: Error) => {
        for (const lost of losses.splice(0)) lost(error);
      };
      client.on("error", lose);
      client.on("end", () => lose(new Error("The connection to Postgres has ended")));
      await client.connect().catch(fail);
      if (patienceMs > 0)
        await client.query(END_PAUSES).catch((error) => {
          void client.end();
          fail(error);
        });
      // A connection that has not answered in time is not used any more.
      const end = (error: unknown) => {
        if (error instanceof StorageUnreachable) void client.end();
      };
      return {
        ...queriesOf(client, end),
        onNotice: (heard) => client.on("notification", ({ payload = "" }) => heard(payload)),
        onLost: (lost) => losses.push(lost),
        close: () => client.end(),
      };
    },
    async transaction(synced, work) {
      const client = await pool.connect().catch(fail);
      const queries = queriesOf(client);
      let failure: Error | undefined;
      // Without a listener, a connection that is lost between two statements would end the process.
      const lose = (error: Error) => {
        failure = error;
      };
      client.on("error", lose);
      try {
        await queries.run("BEGIN");
        if (!synced) await queries.run("SET LOCAL synchronous_commit = off");
        const result = await work(queries);
        await queries.run("COMMIT");
        return result;
      } catch (error) {
        await queries.run("ROLLBACK").catch((lost: Error) => {
          failure = lost;
        });
        throw error;
      } finally {
        client.off("error", lose);
        client.release(failure);
      }
    },
    pool: () => ({ open: pool.totalCount, idle: pool.idleCount, waiting: pool.waitingCount }),
    close: () => pool.end(),
  };
}

function queriesOf(client: pg.Pool | pg.ClientBase, failed: (error: unknown) => void = () => undefined): Queries {
  // Each text is parsed and planned once in a connection.
  const query = <Row extends object>(text: string, values: readonly Value[] = []) =>
    client.query<Row>({ name: nameOf(text), text, values: values.map(sendable) }).catch((thrown) => {
      const error = queryError(thrown);
      failed(error);
      throw error;
    });
  return {
    rows: async (text, values) => (await query<never>(text, values)).rows,
    run: async (text, values) => (await query(text, values)).rowCount ?? 0,
  };
}

function fail(error: unknown): never {
  throw queryError(error);
}

const names = new Map<string, string>();

function nameOf(text: string): string {
  const known = names.get(text);
  if (known !== undefined) return known;
  const name = createHash("sha256").update(text).digest("base64url");
  names.set(text, name);
  return name;
}

function sendable(value: Value): Value | Buffer {
  if (typeof value === "string") return withoutNul(value);
  if (value instanceof Uint8Array) return Buffer.from(value.buffer, value.byteOffset, value.byteLength);
  if (Array.isArray(value))
    return value.some(hasNul) ? value.map((one) => (typeof one === "string" ? withoutNul(one) : one)) : value;
  return value;
}

function hasNul(value: unknown): boolean {
  return typeof value === "string" && value.includes("\0");
}
