import { readHash } from "./template-hash.ts";

/** What a link says of the template that this tab cannot give. */
export type Loss = "unreadable" | "elsewhere";

/** What somebody has written; null: nothing yet, the template is what it begins from. */
interface Found {
  written: string | null;
  loss: Loss | null;
}

/** Drafts are kept for each agent that they begin from. */
const keyOf = (agent: string | null) => `obelus-template-${agent ?? ""}`;

/** What this tab keeps of a template. */
export function readDraft(agent: string | null): string | null {
  return sessionStorage.getItem(keyOf(agent));
}

/** Keeps what is being written in this tab, over a reload; null forgets it. False: there is no room for it. */
export function keepDraft(agent: string | null, written: string | null): boolean {
  try {
    if (written === null) sessionStorage.removeItem(keyOf(agent));
    else sessionStorage.setItem(keyOf(agent), written);
    return true;
  } catch (error) {
    if (!(error instanceof DOMException && error.name === "QuotaExceededError")) throw error;
    sessionStorage.removeItem(keyOf(agent));
    return false;
  }
}

/** The template that an address leads to. Who comes without one, and for no agent's, goes on where they left off. */
export function findTemplate(hash: string, agent: string | null): Found {
  const hashed = readHash(hash);
  switch (hashed.kind) {
    case "template":
      return { written: hashed.template, loss: null };
    case "unreadable":
      return { written: null, loss: "unreadable" };
    case "in_tab": {
      const written = readDraft(agent);
      return { written, loss: written === null ? "elsewhere" : null };
    }
    default:
      return { written: agent === null ? readDraft(null) : null, loss: null };
  }
}
