import { useTranslations } from "next-intl";
import { useEventName } from "@/components/timeline/use-event-name.ts";
import type { Conversation } from "@/lib/api/shapes.ts";
import { leadIn } from "./lead-in.ts";
import { plainText } from "./plain-text.ts";

const ROLES = ["user", "assistant", "system", "tool", "operator"] as const;

/** How many characters may stand before a hit, and before one that has the name of its field before it. */
const LEAD = { said: 24, told: 10 } as const;

interface RowPreviewProps {
  conversation: Conversation;
  /** It is called something else than its id. */
  hasName: boolean;
}

/** Who said what last, or where the search hit; the id of what nobody said anything in. */
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
  /** Who said it; null where nobody did. */
  speaker: string | null;
}

/** The words that the search found, with who said them, or what happened there and which field they are of. */
function Hit({ hit, speaker }: HitProps) {
  const eventName = useEventName();
  const field = speaker === null && hit.path !== null ? fieldOf(hit.path) : "";
  return (
    <>
      <span className="text-fg-2">{speaker ?? eventName(hit.type)}:</span>{" "}
      {field !== "" && <span className="font-mono text-11 text-fg-2">{field} </span>}
      {leadIn(hit.parts, field === "" ? LEAD.said : LEAD.told).map(({ text, marked }, place) =>
        // biome-ignore lint/suspicious/noArrayIndexKey: parts have no identity but their place
        marked ? <mark key={place}>{text}</mark> : text,
      )}
    </>
  );
}

/** The last name of a path, which a row has room for: of `error.details.0` it is `details`. */
function fieldOf(path: string): string {
  return path.split(".").findLast((name) => !/^\d+$/.test(name)) ?? "";
}
