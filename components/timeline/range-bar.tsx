"use client";

import { useQuery } from "@tanstack/react-query";
import { useFormatter, useTranslations } from "next-intl";
import { type ReactNode, useMemo } from "react";
import { callApi } from "@/components/client/api.ts";
import { useDuration } from "@/components/format/use-duration.ts";
import { useTokenCount } from "@/components/format/use-token-count.ts";
import { useStudio } from "@/components/studio/use-studio.ts";
import { Button } from "@/components/ui/button.tsx";
import { Icon } from "@/components/ui/icon.tsx";
import type { Tokens } from "@/lib/api/shapes.ts";
import type { TimelineModel } from "@/lib/session/timeline/model.ts";
import { factsOf, type StepRange } from "@/lib/session/timeline/scale/range.ts";
import { KindMark } from "./chart/kind-mark.tsx";

interface RangeBarProps {
  model: TimelineModel;
  range: StepRange;
  onZoom: () => void;
  onClear: () => void;
}

/** Statistics of the selected range (C5). */
export function RangeBar({ model, range, onZoom, onClear }: RangeBarProps) {
  const t = useTranslations("timeline.selected");
  const kind = useTranslations("timeline.kind");
  const format = useFormatter();
  const duration = useDuration();
  const facts = useMemo(() => factsOf(model, range), [model, range]);
  const tokens = useTokens(range);
  const count = useTokenCount();
  const looping = useStudio((state) => state.looping);
  const setLooping = useStudio((state) => state.setLooping);
  const about = facts.isAbout ? "≈ " : "";
  return (
    <section
      aria-label={t("title")}
      className="flex h-7.5 phone:h-11 flex-none items-center gap-3 fade-x overflow-x-auto border-line border-b bg-accent-soft pr-2 pl-3 whitespace-nowrap text-fg-2 [scrollbar-width:none]"
    >
      <b className="font-semibold text-accent tabular-nums">{t("steps", { ...range, count: facts.steps })}</b>
      {facts.busyMs !== null && (
        <Fact name={t("busy")}>
          {duration(facts.busyMs)}
          {facts.ms !== null && facts.ms - facts.busyMs >= 1_000 && (
            <span className="text-fg-3"> {t("whole", { duration: duration(facts.ms) })}</span>
          )}
        </Fact>
      )}
      <Fact name={t("calls")}>{about + format.number(facts.calls)}</Fact>
      <Fact name={t("tokens")}>
        {tokens === null
          ? "…"
          : t("tokenSum", { input: count(tokens, "input_tokens"), output: count(tokens, "output_tokens") })}
      </Fact>
      <Fact name={t("errors")} className={facts.errors > 0 ? "text-st-failed" : ""}>
        {about + format.number(facts.errors)}
      </Fact>
      <ul aria-label={t("kinds")} className="flex items-center gap-2.5">
        {facts.kinds.map((one) => (
          <li key={one.kind} className="inline-flex items-center gap-1.5">
            <KindMark kind={one.kind} />
            <span className="text-fg-3">{kind(one.kind)}</span>
            <b className="font-medium text-fg tabular-nums">{about + format.number(one.count)}</b>
          </li>
        ))}
      </ul>
      <span className="grow" />
      <Button variant="ghost" pressed={looping} title={t("loopHint")} onClick={() => setLooping(!looping)}>
        <Icon name="retry" size={14} />
        {t("loop")}
      </Button>
      <Button variant="ghost" onClick={onZoom}>
        <Icon name="fit" size={14} />
        {t("zoom")}
      </Button>
      <Button variant="ghost" square aria-label={t("clear")} title={t("clear")} onClick={onClear}>
        <Icon name="close" size={14} />
      </Button>
    </section>
  );
}

function Fact({ name, className = "", children }: { name: string; className?: string; children: ReactNode }) {
  return (
    <span className="inline-flex items-baseline gap-1.25">
      <span className="text-fg-3">{name}</span>
      <b className={`font-medium tabular-nums ${className || "text-fg"}`}>{children}</b>
    </span>
  );
}

/** Rows have no tokens: the server adds them up. Null while loading. */
function useTokens({ from, to }: StepRange): Tokens | null {
  const conversationId = useStudio((state) => state.conversationId);
  const { data } = useQuery({
    queryKey: ["tokens", conversationId, from, to],
    queryFn: ({ signal }) =>
      callApi<Tokens>(`/api/conversations/${encodeURIComponent(conversationId)}/tokens`, {
        query: { from, to },
        signal,
      }),
    staleTime: Number.POSITIVE_INFINITY,
  });
  return data ?? null;
}
