"use client";

import { useTranslations } from "next-intl";
import { useEventName } from "@/components/timeline/use-event-name.ts";
import { Icon } from "@/components/ui/icon.tsx";
import type { IconName } from "@/components/ui/icons.tsx";
import type { FindWhere, Found } from "@/lib/session/find/find-in-event.ts";
import type { Part } from "@/lib/session/find/find-words.ts";

const ICON = { message: "thread", state: "write", event: "otlp" } as const satisfies Record<FindWhere, IconName>;

interface FoundStepProps {
  id: string;
  hit: Found;
  /** The hit that Enter opens. */
  active: boolean;
  /** It is the current step. */
  current: boolean;
  onChoose: () => void;
}

/** A hit: the step, and an excerpt with the matches. */
export function FoundStep({ id, hit, active, current, onChoose }: FoundStepProps) {
  const t = useTranslations("find");
  const eventName = useEventName();
  return (
    // biome-ignore lint/a11y/useFocusableInteractive: the focus stays in the text field, which names the active option
    // biome-ignore lint/a11y/useKeyWithClickEvents: as above
    <div
      id={id}
      role="option"
      aria-selected={active}
      aria-current={current ? "step" : undefined}
      onClick={onChoose}
      className={`cursor-pointer rounded-2 px-2 py-1.5 ${active ? "bg-active" : "hover:bg-hover"}`}
    >
      <div className="flex items-center gap-1.5 text-11 text-fg-3">
        <Icon name={ICON[hit.where]} size={12} className={current ? "text-accent" : ""} />
        <span className={`flex-none ${current ? "font-medium text-accent" : "text-fg-2"}`}>{eventName(hit.type)}</span>
        {hit.where !== "message" && <span className="min-w-0 truncate font-mono">{pathShown(hit)}</span>}
        <span className="ml-auto flex-none pl-2 tabular-nums">{t("step", { step: hit.seq })}</span>
      </div>
      <p className="mt-0.5 line-clamp-2 text-fg wrap-anywhere">
        <MarkedText parts={hit.excerpt} />
      </p>
    </div>
  );
}

const pathShown = ({ where, path, call_id }: Found) =>
  where === "event" && call_id !== null ? `${call_id} · ${path}` : path;

/** A text with highlighted matches. */
function MarkedText({ parts }: { parts: readonly Part[] }) {
  return parts.map(({ text, marked }, place) =>
    // biome-ignore lint/suspicious/noArrayIndexKey: parts have no identity but their place
    marked ? <mark key={place}>{text}</mark> : text,
  );
}
