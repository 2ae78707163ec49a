import { expect, test } from "vitest";
import { chaos } from "./chaos.ts";

// `npm run chaos` is the same for longer.
test("Three replicas that are killed, frozen and cut from Postgres, which restarts: nothing is lost, doubled or out of order", {
  timeout: 600_000,
}, async () => {
  // Whoever is frozen for more than 10 s has lost its runs.
  const { counts, faults } = await chaos({ ms: 36_000, every_ms: 4_500, frozen_ms: 12_000, say: () => undefined });
  expect(faults).toEqual([]);
  expect(counts.faults).toBeGreaterThanOrEqual(8);
});
