import type { Confirmation } from "@/lib/session/session.ts";

/**
 * What a person is asked about, in the fewest words. An interrupted call is named by its tool alone, and one that a run
 * of this server asks about by its tool and what that does: why it waits is said in the reader's language.
 */
export function askedFor({
  cause,
  description,
  action,
  key,
}: Pick<Confirmation, "cause" | "description" | "action" | "key">): string {
  const tool = action?.method ?? key;
  if (cause === "interrupted" || !description) return tool;
  // The second wording is that of earlier versions, which the log keeps.
  const said = [`Run ${tool}`, `${tool} is to run`].find((start) => description.startsWith(start));
  return said === undefined ? description : tool + description.slice(said.length).replace(/^: /, " · ");
}

/** Nobody decided it: the end of its run closed it (P24). */
export function isClosed({ status, decided_by }: Pick<Confirmation, "status" | "decided_by">): boolean {
  return status === "denied" && decided_by === "system";
}
