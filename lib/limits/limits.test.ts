import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import type { UsedModel } from "../../db/access.ts";
import { ALONE } from "../../db/replicas.ts";
import type { Caller } from "../access/caller.ts";
import { createAllowance, type DailyLimits } from "./allowance.ts";
import { clientOf } from "./client.ts";
import { createRates } from "./rates.ts";
import { createSlots } from "./slots.ts";

const nobody: Caller = { kind: "nobody" };
const key: Caller = { kind: "key", id: "k1", name: "billing", scopes: ["read"] };

describe("Security: the client of a limit", () => {
  it.each([
    [key, "10.0.0.1", "key:k1"],
    [{ kind: "person", id: "p1", name: "anna", role: "viewer" }, "10.0.0.1", "person:p1"],
    [nobody, "10.0.0.1", "address:10.0.0.1"],
    [{ kind: "everybody" }, "::ffff:10.0.0.1", "address:::ffff:10.0.0.1"],
    [nobody, "2001:db8:1:2:3:4:5:6", "address:2001:db8:1:2"],
    [nobody, "2001:db8:1:2::6", "address:2001:db8:1:2"],
    [nobody, "2001:db8::1", "address:2001:db8:0:0"],
    [nobody, "::1", "address:0:0:0:0"],
  ] satisfies [Caller, string, string][])("%o from %s", (caller, address, client) => {
    expect(clientOf({ caller, address })).toBe(client);
  });
});

describe("Security: requests per minute", () => {
  beforeEach(() => {
    vi.useFakeTimers();
  });
  afterEach(() => {
    vi.useRealTimers();
  });

  it("counts clients separately, unauthenticated ones with their own limit, and resets after a minute", async () => {
    const rates = await createRates({ each: 3, strangers: 1 }, ALONE);
    const ask = (caller: Caller, address = "10.0.0.1") => rates({ caller, address });
    for (const left of [2, 1, 0]) expect(await ask(key)).toEqual({ allowed: true, limit: 3, left, seconds: 60 });
    vi.advanceTimersByTime(20_000);
    expect(await ask(key, "10.0.0.2")).toEqual({ allowed: false, limit: 3, left: 0, seconds: 40 });
    expect((await ask({ ...key, id: "k2" }))?.allowed).toBe(true);
    expect((await ask(nobody))?.allowed).toBe(true);
    expect((await ask(nobody))?.allowed).toBe(false);
    expect((await ask(nobody, "10.0.0.2"))?.allowed).toBe(true);
    vi.advanceTimersByTime(40_000);
    expect(await ask(key)).toEqual({ allowed: true, limit: 3, left: 2, seconds: 60 });
  });

  it("counts what other replicas have answered", async () => {
    const heard: ((text: string, from: string) => void)[] = [];
    const others = {
      tell: (_: string, text: string) => {
        for (const hear of heard.slice(1)) hear(text, "a");
      },
      hear: (_: string, hear: (text: string, from: string) => void) => void heard.push(hear),
    };
    const limits = { each: 3, strangers: null };
    const [here, there] = [await createRates(limits, others), await createRates(limits, others)];
    for (const left of [2, 1, 0])
      expect(await here({ caller: key, address: "" })).toMatchObject({ allowed: true, left });
    vi.advanceTimersByTime(1_000);
    expect(await there({ caller: key, address: "" })).toMatchObject({ allowed: false });
    expect(await there({ caller: { ...key, id: "k2" }, address: "" })).toMatchObject({ allowed: true });
  });

  it("does not count clients without a limit", async () => {
    const rates = await createRates({ each: null, strangers: 1 }, ALONE);
    expect(await rates({ caller: key, address: "" })).toBeNull();
  });
});

describe("Security: concurrent streams and requests", () => {
  it("releases a slot once, and for its own client", () => {
    const slots = createSlots(2);
    const first = slots.take("a");
    expect(slots.take("a")).not.toBeNull();
    expect(slots.take("a")).toBeNull();
    expect(slots.take("b")).not.toBeNull();
    first?.();
    first?.();
    expect(slots.take("a")).not.toBeNull();
    expect(slots.take("a")).toBeNull();
  });
});

describe("Security: daily limits of an agent", () => {
  const used = (model: string, input_tokens: number, output_tokens: number): UsedModel => ({
    ...{ model, input_tokens, output_tokens },
  });
  const allowanceOf = (limits: DailyLimits, models: UsedModel[], { alerted = false } = {}) => {
    const asked: string[] = [];
    const allowance = createAllowance({
      limits,
      usage: {
        of: async (agentId, day) => {
          asked.push(`${agentId} ${day}`);
          return models;
        },
        wasAlerted: async () => alerted,
      },
      prices: { dear: { input: 10, output: 20, currency: "USD" }, euro: { input: 10, output: 20, currency: "EUR" } },
      clock: { now: () => Date.parse("2026-01-31T23:59:00Z") },
    });
    return { spent: (agent: string | null) => allowance?.spent(agent), asked, allowance };
  };

  it("end with its tokens, with one alert", async () => {
    const { spent, asked } = allowanceOf({ tokens: 100_000, cost: null }, [used("a", 60_000, 39_999), used("b", 1, 0)]);
    const message =
      "The agent crm has used its 100,000 tokens of today (UTC); wait until tomorrow, or raise OBELUS_AGENT_TOKENS_PER_DAY";
    expect(await spent("crm")).toEqual({ message, alert: true });
    expect(await spent("crm")).toEqual({ message, alert: false });
    expect((await spent("sales"))?.alert).toBe(true);
    expect((await spent(null))?.message).toContain("Runs without an agent have used their 100,000 tokens");
    expect(asked.slice(1)).toEqual(["crm 2026-01-31", "sales 2026-01-31", " 2026-01-31"]);
  });

  it("are not alerted again after a restart", async () => {
    const { spent } = allowanceOf({ tokens: 1, cost: null }, [used("a", 1, 0)], { alerted: true });
    expect((await spent("crm"))?.alert).toBe(false);
  });

  it("end with its cost, in that currency only", async () => {
    const cost = { amount: 5, currency: "USD" };
    const models = [used("euro", 1_000_000, 0), used("unknown", 1_000_000, 0)];
    expect(await allowanceOf({ tokens: null, cost }, [used("dear", 499_999, 0), ...models]).spent("crm")).toBeNull();
    expect(await allowanceOf({ tokens: null, cost }, [used("dear", 500_000, 0), ...models]).spent("crm")).toMatchObject(
      {
        message: expect.stringMatching(/^The agent crm has used its 5 USD of today .* OBELUS_AGENT_COST_PER_DAY$/),
      },
    );
  });

  it("read nothing without a limit", () => {
    expect(allowanceOf({ tokens: null, cost: null }, []).allowance).toBeNull();
  });
});
