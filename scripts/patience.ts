import { vi } from "vitest";

/** What is awaited is there when it is there: a slow machine is no failure. By itself it gives up after a second. */
const PATIENCE = { timeout: 30_000, interval: 10 };

const { waitFor } = vi;
vi.waitFor = (look, options) =>
  waitFor(look, { ...PATIENCE, ...(typeof options === "number" ? { timeout: options } : options) });
