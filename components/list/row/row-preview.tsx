import { useTranslations } from "next-intl";
import { useEventName } from "@/components/timeline/use-event-name.ts";
import type { Conversation } from "@/lib/api/shapes.ts";
import { plainText } from "./plain-text.ts";
import { trimBeforeMatch } from "./trim-before-match.ts";

const ROLES = ["user", "assistant", "system", "tool", "operator"] as const;

/** The most characters before a match, and before one after the name of its field. */
const LEAD = { said: 24, told: 10 } as const;

interface RowPreviewProps {
  conversation: Conversation;
  /** Its title differs from its id. */
  hasName: boolean;
}

/** The last message, or the search hit; the id of a conversation without messages. */
export function RowPreview({ conversation: { id, preview, hit }, hasName }: RowPreviewProps) {
  const t = useTranslations("events.role");
  const named = (role: string) => {
    const known = ROLES.find((name) => name === role);
    return known ? t(known) : role;
  };
  if (hit) return <Hit hit={hit} speaker={hit.role === null ? null : named(hit.role)} />;
  if (!preview) return hasName ? <span className="font-mono text-11">{id}</span> : null;
  return (
    <>
      <span className="text-fg-2">{preview.name ?? named(preview.role)}:</span> {plainText(preview.text)}
    </>
  );
}

interface HitProps {
  hit: NonNullable<Conversation["hit"]>;
  /** The speaker; null for none. */
  speaker: string | null;
}

/** The search hit, with its speaker, or its event and field. */
function Hit({ hit, speaker }: HitProps) {
  const eventName = useEventName();
  const field = speaker === null && hit.path !== null ? fieldOf(hit.path) : "";
  return (
    <>
      <span className="text-fg-2">{speaker ?? eventName(hit.type)}:</span>{" "}
      {field !== "" && <span className="font-mono text-11 text-fg-2">{field} </span>}
      {trimBeforeMatch(hit.parts, field === "" ? LEAD.said : LEAD.told).map(({ text, marked }, place) =>
        // biome-ignore lint/suspicious/noArrayIndexKey: parts have no identity but their place
        marked ? <mark key={place}>{text}</mark> : text,
      )}
    </>
  );
}

/** The last name of a path: `details` for `error.details.0`. */
function fieldOf(path: string): string {
  return path.split(".").findLast((name) => !/^\d+$/.test(name)) ?? "";
}
