import { DataRefused, StorageError, StorageFull, StorageUnreachable } from "../errors.ts";

/** Of the system and of Postgres (https://www.postgresql.org/docs/current/errcodes-appendix.html). */
const UNREACHABLE = new Set([
  ...["ECONNREFUSED", "ECONNRESET", "EHOSTUNREACH", "ENETUNREACH", "ENOTFOUND", "EAI_AGAIN", "ETIMEDOUT", "EPIPE"],
  // No socket file.
  "ENOENT",
  // It shuts down, has crashed, or starts.
  ...["57P01", "57P02", "57P03"],
  // It has no connection left.
  ...["53300", "08000", "08003", "08006"],
]);

/** What is said without a code, or with one that means many things. */
const LOST =
  /^Connection terminated|^timeout exceeded when trying to connect|^Query read timeout|is not queryable$|not currently accepting connections/;

/** The error of storage that an error of a query is; the error itself if it is another. */
export function queryError(error: unknown): unknown {
  if (error instanceof StorageError || !(error instanceof Error)) return error;
  const code = codeOf(error);
  if (code === "53100") return new StorageFull(error);
  return isUnreachable(error, code) ? new StorageUnreachable(error) : error;
}

/** A transaction that is in five deadlocks in a row will be in the next. */
const MOST_TRIES = 5;

/** Runs a transaction again that Postgres ended because it and another waited for each other's locks: the other one goes on. */
export async function retryDeadlocks<Result>(transaction: () => Promise<Result>): Promise<Result> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await transaction();
    } catch (error) {
      if (tries === MOST_TRIES || !(error instanceof Error) || codeOf(error) !== "40P01") throw error;
    }
  }
}

/**
 * The sentence for an error that prevents the start, which the operator can fix; null for others. It never has the
 * password.
 */
export function openError(error: unknown, url: string): DataRefused | null {
  const cause = error instanceof StorageUnreachable ? error.cause : error;
  if (!(cause instanceof Error)) return null;
  const { host, database, user } = placeOf(url);
  const refused = (message: string) => new DataRefused(message, { cause });
  const code = codeOf(cause);
  switch (code) {
    case "28P01":
    case "28000":
      return refused(
        `Postgres at ${host} does not let ${user} in (${cause.message}); correct user and password in OBELUS_DATABASE_URL`,
      );
    case "3D000":
      return refused(`Postgres at ${host} has no database ${database}; create it with CREATE DATABASE ${database}`);
    case "42501":
      return refused(
        `${user} lacks a right in the database ${database} (${cause.message}); make it the owner: ALTER DATABASE ${database} OWNER TO ${user}`,
      );
    case "25006":
      return refused(`The database ${database} at ${host} is read-only; OBELUS_DATABASE_URL must name the primary`);
    case "53300":
      return refused(
        `Postgres at ${host} has no connection left; raise its max_connections, or lower OBELUS_DATABASE_CONNECTIONS`,
      );
    case "CERT_HAS_EXPIRED":
    case "DEPTH_ZERO_SELF_SIGNED_CERT":
    case "ERR_TLS_CERT_ALTNAME_INVALID":
    case "SELF_SIGNED_CERT_IN_CHAIN":
    case "UNABLE_TO_GET_ISSUER_CERT_LOCALLY":
    case "UNABLE_TO_VERIFY_LEAF_SIGNATURE":
      return refused(
        `The certificate of Postgres at ${host} is not trusted (${cause.message}); name that of its authority in OBELUS_DATABASE_URL: ?sslmode=verify-full&sslrootcert=/path/to/ca.crt`,
      );
    default:
      return isUnreachable(cause, code)
        ? refused(
            `Postgres at ${host} cannot be reached (${code ?? cause.message}); start it, or correct OBELUS_DATABASE_URL`,
          )
        : null;
  }
}

function isUnreachable(error: Error, code: string | undefined): boolean {
  return (code !== undefined && UNREACHABLE.has(code)) || LOST.test(error.message);
}

function codeOf(error: Error): string | undefined {
  return "code" in error && typeof error.code === "string" ? error.code : undefined;
}

function placeOf(url: string): { host: string; database: string; user: string } {
  const { hostname, port, pathname, username, searchParams } = new URL(url);
  const at = searchParams.get("host") ?? (hostname || "localhost");
  const user = decodeURIComponent(username) || "the user";
  return { host: `${at}:${port || 5432}`, database: decodeURIComponent(pathname.slice(1)) || user, user };
}
