import { HOUR_MS } from "../rollup/place.ts";
import type { Condition } from "./rule.ts";

/** The path of the page that shows exactly what a rule counted between two times (epoch ms). */
export function addressOf(condition: Condition, from: number, to: number): string {
  const { metric, agent, version, model, channel, stage, tool, score } = condition;
  const filters = { agent, version, model, channel, stage };
  const span = { since: hourFrom(from), until: hourUntil(to) };
  switch (metric) {
    case "error_rate":
      return withQuery("/", {
        happened: tool === undefined ? "failed_turn" : "failed_call",
        ...filters,
        tool,
        ...span,
      });
    case "cost":
      return withQuery("/", { happened: "cost", ...filters, ...span });
    case "score":
      return withQuery("/", { score, ...filters, scored_since: span.since, scored_until: span.until });
    case "stuck_run":
      return withQuery("/", { status: "running", ...filters });
    case "approval_wait":
      return "/approvals";
    case "error_returned":
      return withQuery("/", { happened: "failed_call", agent, tool, ...span });
    default:
      return metric satisfies never;
  }
}

function withQuery(path: string, params: Record<string, string | undefined>): string {
  const given = Object.entries(params).filter((entry): entry is [string, string] => entry[1] !== undefined);
  return given.length === 0 ? path : `${path}?${new URLSearchParams(given)}`;
}

function hourFrom(ms: number): string {
  return new Date(Math.floor(ms / HOUR_MS) * HOUR_MS).toISOString();
}

function hourUntil(ms: number): string {
  return new Date(Math.floor(ms / HOUR_MS + 1) * HOUR_MS).toISOString();
}
