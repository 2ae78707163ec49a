"use client";

import { useTranslations } from "next-intl";
import { useMemo } from "react";
import { Clock } from "@/components/format/clock.tsx";
import { useStudio } from "@/components/studio/use-studio.ts";
import type { SessionEvent } from "@/lib/session/event.ts";
import { isEventType } from "@/lib/session/events/kinds.ts";
import { rowAt, type TimelineRow, type TimelineRows } from "@/lib/session/timeline/timeline.ts";
import { CopyButton } from "./copy-button.tsx";
import { Fact, Facts, Part } from "./part.tsx";
import { StepLink } from "./step-link.tsx";

/** More characters would make the browser slow; the full text can be copied. */
const SHOWN = 200_000;
/** The most effects that are listed. */
const EFFECTS = 20;

/** The recorded event of the step (C6), with its cause and its effects. */
export function EventTab() {
  const t = useTranslations("inspector.event");
  const event = useStudio((state) => state.event);
  const at = useStudio((state) => state.at);
  if (event) return <EventView event={event} />;
  return <p className="p-3 text-fg-3">{at === 0 ? t("none") : t("loading", { step: at })}</p>;
}

function EventView({ event }: { event: SessionEvent }) {
  const t = useTranslations();
  const text = useMemo(() => JSON.stringify(event, null, 2), [event]);
  return (
    <div className="h-full overflow-y-auto">
      <header className="border-line border-b px-3 py-2">
        <h3 className="text-13 font-semibold">
          {isEventType(event.type) ? t(`events.type.${event.type}`) : t("events.unknownType")}
        </h3>
        <code className="font-mono text-11 text-fg-3">{event.type}</code>
      </header>
      <div className="border-line border-b">
        <Facts>
          <Fact label={t("inspector.event.step")}>{event.seq}</Fact>
          {event.actor && <Fact label={t("inspector.event.actor")}>{event.actor}</Fact>}
          {event.run_id !== null && (
            <Fact label={t("inspector.event.run")}>
              <code className="font-mono text-11">{event.run_id}</code>
            </Fact>
          )}
          <Fact label={t("inspector.event.happened")}>
            {event.occurred_at === null ? (
              <span className="text-fg-3">{t("inspector.event.noTime")}</span>
            ) : (
              <Clock at={event.occurred_at} precise className="text-fg!" />
            )}
          </Fact>
          <Fact label={t("inspector.event.recorded")}>
            <Clock at={event.recorded_at} precise className="text-fg!" />
          </Fact>
          {event.recorded_by && (
            <Fact label={t("inspector.event.recordedBy")}>{t(`inspector.event.recorder.${event.recorded_by}`)}</Fact>
          )}
          <Causality event={event} />
        </Facts>
      </div>
      <Part title={t("inspector.event.raw")} aside={<CopyButton text={() => text} label={t("common.copy")} worded />}>
        <pre
          tabIndex={0}
          className="overflow-x-auto rounded-2 bg-sunken px-3 py-2 font-mono text-11 leading-[18px] text-fg-2"
        >
          {text.slice(0, SHOWN)}
        </pre>
        {text.length > SHOWN && <p className="pt-1 text-11 text-fg-3">{t("inspector.event.cut")}</p>}
      </Part>
    </div>
  );
}

/** Links from the event to its cause and its effects. */
function Causality({ event }: { event: SessionEvent }) {
  const t = useTranslations("inspector.event");
  const timeline = useStudio((state) => state.timeline);
  const { cause, effects } = useMemo(() => causality(timeline, event.seq), [timeline, event.seq]);
  return (
    <>
      {(cause || event.caused_by !== null) && (
        <Fact label={t("causedBy")}>
          {cause ? <RowLink row={cause} /> : <code className="font-mono text-11 text-fg-3">{event.caused_by}</code>}
        </Fact>
      )}
      {effects.length > 0 && (
        <Fact label={t("caused")}>
          <ul className="min-w-0">
            {effects.slice(0, EFFECTS).map((row) => (
              <li key={row.seq}>
                <RowLink row={row} />
              </li>
            ))}
            {effects.length > EFFECTS && (
              <li className="text-fg-3">{t("moreEffects", { count: effects.length - EFFECTS })}</li>
            )}
          </ul>
        </Fact>
      )}
    </>
  );
}

function RowLink({ row }: { row: TimelineRow }) {
  return (
    <StepLink step={row.seq}>
      {row.seq} <span className="min-w-0 truncate font-mono text-11">{row.type}</span>
    </StepLink>
  );
}

function causality(timeline: TimelineRows | null, seq: number): { cause: TimelineRow | null; effects: TimelineRow[] } {
  const cause = (timeline && rowAt(timeline, seq)?.cause) ?? null;
  return {
    cause: (timeline && cause !== null && rowAt(timeline, cause)) || null,
    effects: timeline?.filter((row) => row.cause === seq) ?? [],
  };
}
