import { z } from "zod";

/** Who may come in, and by which way. */
export interface AccessConfig {
  /** People sign in and programs send keys. */
  required: boolean;
  /** The address by which people reach this server, `https://obelus.example.org`; null where it is only known from requests. */
  publicUrl: string | null;
  /** Addresses and networks of proxies whose word on a request's origin counts. */
  trustedProxies: string[];
  /** How long a browser stays signed in without being used, in ms. */
  idle: number;
}

const HOUR_MS = 3_600_000;

/** The variables of it. */
export const accessVariables = {
  OBELUS_AUTH: z.enum(["0", "1"], "must be 1 (people sign in, programs send keys) or 0").default("0"),
  OBELUS_PUBLIC_URL: z
    .url({ protocol: /^https?$/, error: "must be an address such as https://obelus.example.org" })
    .transform((address) => new URL(address).origin)
    .optional(),
  OBELUS_TRUSTED_PROXIES: z
    .string()
    .transform((list) => list.split(",").map((entry) => entry.trim()))
    .default([]),
  OBELUS_SIGN_IN_HOURS: z
    .string()
    .regex(/^[1-9]\d{0,2}$/, "must be a whole number of hours from 1 to 999, such as 12")
    .transform(Number)
    .default(12),
};

type Variables = z.infer<z.ZodObject<typeof accessVariables>>;

/** The configuration that the variables make. */
export function accessOf(set: Variables): AccessConfig {
  return {
    required: set.OBELUS_AUTH === "1",
    publicUrl: set.OBELUS_PUBLIC_URL ?? null,
    trustedProxies: set.OBELUS_TRUSTED_PROXIES,
    idle: set.OBELUS_SIGN_IN_HOURS * HOUR_MS,
  };
}
