"use client";

import { useTranslations } from "next-intl";
import type { Json } from "@/lib/session/json/json.ts";
import { Content } from "./content.tsx";
import type { Trace } from "./read-trace.ts";
import { StepFrame } from "./step-frame.tsx";

/** A reasoning trace, step by step (E3). */
export function TraceSteps({ trace: { steps, finalAction, finalResult } }: { trace: Trace }) {
  const t = useTranslations("trace");
  const hasEnd = finalAction !== null || finalResult !== null;
  if (steps.length === 0 && !hasEnd) return <p className="text-fg-3">{t("noSteps")}</p>;
  return (
    <ol className="max-w-180">
      {steps.map(({ phase, content }, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a step is known by its place
        <StepFrame key={index} phase={phase} last={!hasEnd && index === steps.length - 1}>
          <Content value={content} label={phase} />
        </StepFrame>
      ))}
      {hasEnd && (
        <StepFrame phase="final" last>
          <End action={finalAction} result={finalResult} />
        </StepFrame>
      )}
    </ol>
  );
}

/** The final action and its result. */
function End({ action, result }: { action: Json; result: Json }) {
  const t = useTranslations("trace");
  return (
    <div className="flex flex-col gap-1">
      {action !== null &&
        (typeof action === "string" ? (
          <p className="font-mono text-12 font-semibold wrap-anywhere">{action}</p>
        ) : (
          <Content value={action} label={t("phase.action")} />
        ))}
      {result !== null && <Content value={result} label={t("phase.final")} />}
    </div>
  );
}
