"use client";

import { useTranslations } from "next-intl";
import { memo } from "react";
import { useReasonText } from "@/components/format/use-reason-text.ts";
import { STATUS } from "@/components/ui/status.ts";
import { StatusIcon } from "@/components/ui/status-icon.tsx";
import type { BriefValue } from "@/lib/session/map/brief-value.ts";
import { statusAt } from "./at-step.ts";
import { hasFailed, keyOf } from "./bands.ts";
import type { PlacedCard } from "./layout.ts";
import { useMapActions } from "./map-actions.ts";
import { useBrief } from "./use-brief.ts";

interface MapCardProps {
  placed: PlacedCard;
  /** The step, as far as it concerns this band. */
  at: number;
  selected: boolean;
  /** It can be reached with Tab; the others with the arrow keys. */
  tabStop: boolean;
  lit: "source" | "use" | null;
  found: boolean;
}

/** A call, or equal calls in a row: status and name, main parameter, result or error. */
export const MapCard = memo(function MapCard({ placed, at, selected, tabStop, lit, found }: MapCardProps) {
  const t = useTranslations("graph.map");
  const words = useTranslations("events.call_status");
  const reason = useReasonText();
  const brief = useBrief();
  const { selectCall, toggleRow } = useMapActions();
  const { calls, id } = placed.entry;
  const [call] = calls;
  const count = calls.length;
  const status = statusAt(call, at);
  const isLater = call.seq > at;
  const failed = hasFailed(call) && status === "failed";
  const step = call.ended_seq !== null && call.ended_seq <= at ? call.ended_seq : call.seq;
  return (
    <button
      type="button"
      className="sm-card"
      style={{ left: placed.x, top: placed.y, width: placed.width, height: placed.height }}
      data-key={keyOf(call)}
      data-status={STATUS[status].token}
      data-later={isLater || undefined}
      data-selected={selected || undefined}
      data-lit={lit ?? undefined}
      data-found={found || undefined}
      data-many={count > 1 || undefined}
      tabIndex={tabStop ? 0 : -1}
      aria-pressed={count > 1 ? undefined : selected}
      aria-expanded={count > 1 ? false : undefined}
      title={call.error ?? undefined}
      onClick={() => (count > 1 ? toggleRow(id) : selectCall(call))}
    >
      <span className="sm-title">
        <StatusIcon status={status} size={14} label={words(status)} />
        <b>{call.tool}</b>
        {count > 1 && <span className="sm-count">{t("times", { count })}</span>}
        <span className="sm-step">{step}</span>
      </span>
      {failed ? (
        <span className="sm-error">{call.error === null ? words(status) : reason(call.error)}</span>
      ) : (
        <>
          {call.input && <Input value={call.input} />}
          <span className="sm-out">
            {call.ended_seq !== null && call.ended_seq <= at ? (
              <Output call={call} brief={brief} reason={reason} />
            ) : (
              isLater || words(status)
            )}
          </span>
        </>
      )}
    </button>
  );
});

function Input({ value: { parts } }: { value: BriefValue }) {
  return (
    <span className="sm-in">
      {parts.map(({ name, value }, index) => (
        // They keep their order.
        // biome-ignore lint/suspicious/noArrayIndexKey: see above
        <span key={index}>
          {name !== "" && <i>{name} </i>}
          {value}
          {index < parts.length - 1 && "  "}
        </span>
      ))}
    </span>
  );
}

interface OutputProps {
  call: PlacedCard["entry"]["calls"][0];
  brief: ReturnType<typeof useBrief>;
  reason: (text: string) => string;
}

function Output({ call: { output, error, status }, brief, reason }: OutputProps) {
  const t = useTranslations("graph.map");
  if (error !== null) return reason(error);
  if (status !== "succeeded") return null;
  if (output === null) return <i>{t("noResult")}</i>;
  return (
    <>
      <i>→ </i>
      {output.kind === null ? <b>{brief(output)}</b> : brief(output)}
    </>
  );
}
