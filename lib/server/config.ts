import { isIPv4 } from "node:net";
import { z } from "zod";
import { StartupError } from "./startup-error.ts";

/** What the operator can set, as the server uses it. Documented in `.env.example`. */
export interface Config {
  /** The loopback address that the server listens on. */
  host: string;
  /** 0 takes a free one. */
  port: number;
  dataDir: string;
  /** Fills an empty database with the demo. */
  demo: boolean;
  /** Names, besides the loopback's own, that requests may be addressed to. */
  allowedHosts: string[];
  logLevel: "trace" | "debug" | "info" | "warn" | "error" | "fatal" | "silent";
  durability: "full" | "normal";
}

const environment = z.object({
  HOST: z
    .string()
    .refine(isLoopback, "is not a loopback address, and no credentials can be set yet; use 127.0.0.1, localhost or ::1")
    .transform((host) => host.replace(/^\[(.*)\]$/, "$1"))
    .default("127.0.0.1"),
  PORT: z
    .string()
    .regex(/^\d{1,5}$/, "must be a whole number from 0 to 65535, such as 3000")
    .transform(Number)
    .refine((port) => port <= 65_535, "must be a whole number from 0 to 65535, such as 3000")
    .default(3000),
  OBELUS_DATA_DIR: z.string().default("./data"),
  OBELUS_DEMO: z.enum(["0", "1"], "must be 1 (fill an empty database with the demo) or 0").default("1"),
  OBELUS_ALLOWED_HOSTS: z
    .string()
    .transform((list) => list.split(",").map((name) => name.trim().toLowerCase()))
    .refine(
      (names) => names.every((name) => HOST_NAME.test(name)),
      "must be names without ports, separated by commas, such as studio.example.org",
    )
    .default([]),
  OBELUS_LOG_LEVEL: z
    .enum(
      ["trace", "debug", "info", "warn", "error", "fatal", "silent"],
      "must be one of trace, debug, info, warn, error, fatal, silent",
    )
    .default("info"),
  OBELUS_DURABILITY: z
    .enum(
      ["full", "normal"],
      "must be full (an answer means it is on disk) or normal (faster; a power cut may lose the newest)",
    )
    .default("full"),
});

const HOST_NAME = /^([\p{L}\p{N}._-]+|\[[0-9a-f:.]+\])$/u;

/**
 * Reads the configuration. A variable that is set but empty counts as not set.
 *
 * Throws `StartupError` with a sentence for each variable that does not hold.
 */
export function readConfig(variables: Record<string, string | undefined>): Config {
  const set = Object.fromEntries(
    Object.entries(variables).filter(([, value]) => value !== undefined && value.trim() !== ""),
  );
  const result = environment.safeParse(set);
  if (!result.success) {
    const sentences = result.error.issues.map(
      ({ path: [name = ""], message }) => `${String(name)}=${set[String(name)]} ${message}.`,
    );
    throw new StartupError(sentences.join("\n"));
  }
  const { data } = result;
  return {
    host: data.HOST,
    port: data.PORT,
    dataDir: data.OBELUS_DATA_DIR,
    demo: data.OBELUS_DEMO === "1",
    allowedHosts: data.OBELUS_ALLOWED_HOSTS,
    logLevel: data.OBELUS_LOG_LEVEL,
    durability: data.OBELUS_DURABILITY,
  };
}

function isLoopback(host: string): boolean {
  return /^(localhost|::1|\[::1\])$/i.test(host) || (isIPv4(host) && host.startsWith("127."));
}
