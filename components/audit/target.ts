import { withSelection } from "@/components/agents/selection.ts";
import { STATUSES, withPlace } from "@/components/approvals/place.ts";
import type { AuditEntry } from "@/lib/api/shapes.ts";

/** The object of an action, as it is shown. */
interface Target {
  kind: string;
  id: string;
  /** Its page in the console; null for none. */
  href: string | null;
}

/** Reads an entry's target; null for none. */
export function targetOf(entry: Pick<AuditEntry, "target" | "before" | "after">): Target | null {
  if (entry.target === null) return null;
  const colon = entry.target.indexOf(":");
  const kind = entry.target.slice(0, colon);
  const id = entry.target.slice(colon + 1);
  return { kind, id, href: hrefOf(kind, id, entry) };
}

/** The studio of a conversation. */
export function conversationHref(id: string): string {
  return `/conversations/${encodeURIComponent(id)}`;
}

function hrefOf(kind: string, id: string, { before, after }: Pick<AuditEntry, "before" | "after">): string | null {
  const conversation = after?.conversation_id ?? before?.conversation_id;
  switch (kind) {
    case "conversation":
      return conversationHref(id);
    case "run":
      return typeof conversation === "string"
        ? `${conversationHref(conversation)}?${new URLSearchParams({ run: id })}`
        : null;
    case "confirmation": {
      const status = STATUSES.find((known) => known === after?.status) ?? "requested";
      return `/approvals${withPlace(new URLSearchParams(), { status, selected: id })}`;
    }
    case "memory":
      return agentsHref(`memory:${id}`, "memory");
    case "agent_state": {
      const slash = id.lastIndexOf("/");
      return agentsHref(id.slice(0, slash), id.slice(slash + 1));
    }
    case "user":
      return "/admin/users";
    case "key":
      return "/admin/keys";
    default:
      return null;
  }
}

function agentsHref(agent: string, key: string): string {
  return `/agents${withSelection(new URLSearchParams(withSelection(new URLSearchParams(), { agent })), { key })}`;
}
