import { vi } from "vitest";

/** Long timeouts: a slow machine is no failure. The default is a second. */
const PATIENCE = { timeout: 30_000, interval: 10 };

const { waitFor } = vi;
vi.waitFor = (look, options) =>
  waitFor(look, { ...PATIENCE, ...(typeof options === "number" ? { timeout: options } : options) });
