"use client";

import { useFormatter, useTranslations } from "next-intl";
import { useStudio } from "@/components/studio/use-studio.ts";
import { PathPill } from "@/components/ui/path-pill.tsx";
import { Tooltip } from "@/components/ui/tooltip.tsx";
import { kindOf } from "@/lib/session/events/kinds.ts";
import { isJsonObject } from "@/lib/session/json/json.ts";
import type { TimelineModel } from "@/lib/session/timeline/model.ts";
import { rowAt, type TimelineRow } from "@/lib/session/timeline/timeline.ts";
import { KindMark } from "./chart/kind-mark.tsx";
import { useEventName } from "./use-event-name.ts";

const CLOCK = {
  hour: "2-digit",
  minute: "2-digit",
  second: "2-digit",
  fractionalSecondDigits: 3,
  hour12: false,
} as const;

/** The most characters of a message. */
const LETTERS = 80;

/** The current step: its event, its cause and its effects. */
export function CurrentStep({ model }: { model: TimelineModel | null }) {
  const t = useTranslations("timeline");
  const at = useStudio((state) => state.at);
  const last = useStudio((state) => state.last);
  const row = model ? rowAt(model.rows, at) : undefined;
  return (
    <>
      <span className="inline-flex flex-none items-baseline gap-1.25 px-2.5 tabular-nums">
        <span className="narrow:hidden">{t("step")}</span>
        <b className="font-semibold text-fg">{at}</b>
        <span className="text-fg-3">/ {last}</span>
      </span>
      <span className="h-4 w-px flex-none bg-line-strong" />
      <span className="inline-flex min-w-0 items-center gap-1.75 overflow-hidden pr-1 pl-2.5">
        {model && row ? (
          <StepFacts row={row} model={model} />
        ) : (
          <span className="text-fg-3">{at === 0 && t("beforeFirst")}</span>
        )}
      </span>
    </>
  );
}

function StepFacts({ row, model }: { row: TimelineRow; model: TimelineModel }) {
  const format = useFormatter();
  const nameOf = useEventName();
  return (
    <>
      <KindMark kind={kindOf(row)} />
      <b
        className={`flex-none truncate font-mono font-semibold narrow:min-w-10 narrow:shrink ${row.error ? "text-st-failed" : "text-fg"}`}
        title={nameOf(row.type)}
      >
        {row.type}
      </b>
      <Subject row={row} />
      {row.time !== null && (
        <span className="flex-none text-fg-3 tabular-nums">{format.dateTime(row.time, CLOCK)}</span>
      )}
      <Causality row={row} model={model} />
    </>
  );
}

/** What the step is about: the written path, the message, or the call. */
function Subject({ row }: { row: TimelineRow }) {
  const t = useTranslations("timeline");
  const event = useStudio((state) => state.event);
  const payload = event?.seq === row.seq ? event.payload : undefined;
  if (isJsonObject(payload) && typeof payload.path === "string")
    return <PathPill path={payload.path} className="shrink" />;
  if (isJsonObject(payload) && row.type === "message.created" && typeof payload.content === "string")
    return (
      <span className="min-w-0 truncate text-fg-2">{t("quote", { text: payload.content.slice(0, LETTERS) })}</span>
    );
  const name = row.call === null ? "" : row.call.tool || row.call.id;
  return name !== "" ? <span className="min-w-0 truncate text-fg-2">{name}</span> : null;
}

function Causality({ row, model }: { row: TimelineRow; model: TimelineModel }) {
  const t = useTranslations("timeline");
  const cause = row.cause === null ? undefined : rowAt(model.rows, row.cause);
  const effects = model.effects.get(row.seq);
  const led = effects && rowAt(model.rows, effects.first);
  const others = (effects?.count ?? 0) - 1;
  return (
    <span className="inline-flex min-w-0 shrink-99 items-center gap-1.25 pl-2 text-fg-3 narrow:hidden">
      {cause && (
        <>
          <span className="flex-none">{t("causedBy")}</span>{" "}
          <StepLink row={cause} title={t("cause", { seq: cause.seq })} />
        </>
      )}
      {led && (
        <>
          <span className={`flex-none ${cause ? "pl-2" : ""}`}>{t("ledTo")}</span>{" "}
          <StepLink row={led} title={t("effect", { seq: led.seq })} />
          {others > 0 && <span className="min-w-0 shrink-99 truncate">{t("more", { count: others })}</span>}
        </>
      )}
    </span>
  );
}

function StepLink({ row, title }: { row: TimelineRow; title: string }) {
  const jump = useStudio((state) => state.jump);
  return (
    <Tooltip text={title}>
      <button
        type="button"
        aria-label={`${title}: ${row.type}`}
        className="min-h-6 min-w-8 truncate rounded-1 font-medium text-fg-2 underline decoration-line-strong underline-offset-3 hover:text-fg hover:decoration-current"
        onClick={() => jump(row.seq)}
      >
        {row.seq} {row.type}
      </button>
    </Tooltip>
  );
}
