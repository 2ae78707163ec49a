import { readHash } from "./template-hash.ts";

/** Why a link's template is not available in this tab. */
export type Loss = "unreadable" | "elsewhere";

/** The edited text; null while it is unchanged. */
interface Found {
  written: string | null;
  loss: Loss | null;
}

/** Drafts are stored by the agent that they are based on. */
const keyOf = (agent: string | null) => `obelus-template-${agent ?? ""}`;

/** The stored draft. */
export function readDraft(agent: string | null): string | null {
  return sessionStorage.getItem(keyOf(agent));
}

/** Stores the draft in session storage; null removes it. False when there is no room. */
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

/** The template of an address. Without one, and without an agent, the last draft is restored. */
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
