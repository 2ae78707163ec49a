import { z } from "zod";

/** The Postgres database that replicas share. */
export interface DatabaseConfig {
  /** `postgres://…` */
  url: string;
  /** Connections for reads at most. A replica has a few more, for what it writes and follows. */
  connections: number;
  /** How long a replica still answers after SIGTERM, while `/api/ready` says that it is stopping, ms. */
  shutdownDelay: number;
}

/** `openssl rand -hex 32` */
const SECRET = /^[0-9a-f]{64}$/i;

/** Its variables. */
export const databaseVariables = {
  OBELUS_DATABASE_URL: z
    .url({
      protocol: /^postgres(ql)?$/,
      error: "must be an address such as postgres://obelus:password@db.example.org:5432/obelus; unset it for SQLite",
    })
    .optional(),
  OBELUS_DATABASE_CONNECTIONS: z
    .string()
    .regex(/^[1-9]\d{0,2}$/, "must be a whole number from 1 to 999, such as 10")
    .transform(Number)
    .default(10),
  OBELUS_SHUTDOWN_DELAY_SECONDS: z
    .string()
    .regex(/^\d{1,2}$/, "must be a whole number of seconds from 0 to 99, such as 2")
    .transform(Number)
    .default(2),
  OBELUS_SECRET: z
    .string()
    .regex(SECRET, "must be 64 hex digits, such as those of openssl rand -hex 32, or of secret.key")
    .optional(),
};

/** Settings whose values must not be shown: the address has a password. */
export const DATABASE_SECRETS = ["OBELUS_DATABASE_URL", "OBELUS_SECRET"];

type Variables = z.infer<z.ZodObject<typeof databaseVariables>>;

/** An error of the variables in combination. */
export function databaseFault(set: Variables): { path: string[]; message: string } | null {
  if (set.OBELUS_DATABASE_URL === undefined || set.OBELUS_SECRET !== undefined) return null;
  const message =
    "is required with OBELUS_DATABASE_URL: replicas decrypt and sign with the same key; create one with openssl rand -hex 32, or use the content of secret.key";
  return { path: ["OBELUS_SECRET"], message };
}

/** The configuration from the variables; null for SQLite in the data directory. */
export function databaseOf(set: Variables): DatabaseConfig | null {
  const { OBELUS_DATABASE_URL: url, OBELUS_DATABASE_CONNECTIONS: connections } = set;
  return url === undefined ? null : { url, connections, shutdownDelay: set.OBELUS_SHUTDOWN_DELAY_SECONDS * 1_000 };
}

/** The key that encrypts and signs; null for that of the data directory. */
export function secretOf({ OBELUS_SECRET: secret }: Variables): Uint8Array | null {
  return secret === undefined ? null : Buffer.from(secret, "hex");
}
