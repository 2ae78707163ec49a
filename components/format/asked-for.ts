import type { Confirmation } from "@/lib/session/session.ts";

/**
 * A short name of a requested action. Interrupted calls are named by their tool, and approvals of this server's runs by
 * the tool and its action: the reason is translated separately.
 */
export function askedFor({
  cause,
  description,
  action,
  key,
}: Pick<Confirmation, "cause" | "description" | "action" | "key">): string {
  const tool = action?.method ?? key;
  if (cause === "interrupted" || !description) return tool;
  // The second wording is from earlier versions, and is in recorded events.
  const said = [`Run ${tool}`, `${tool} is to run`].find((start) => description.startsWith(start));
  return said === undefined ? description : tool + description.slice(said.length).replace(/^: /, " · ");
}

/** It was closed by the end of its run, without a decision (P24). */
export function isClosed({ status, decided_by }: Pick<Confirmation, "status" | "decided_by">): boolean {
  return status === "denied" && decided_by === "system";
}
