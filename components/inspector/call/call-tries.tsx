"use client";

import { useTranslations } from "next-intl";
import { Clock } from "@/components/format/clock.tsx";
import { useDuration } from "@/components/format/use-duration.ts";
import { useReasonText } from "@/components/format/use-reason-text.ts";
import { Icon } from "@/components/ui/icon.tsx";
import type { Call } from "@/lib/session/session.ts";
import { Part } from "../part.tsx";
import { StepLink } from "../step-link.tsx";

/** Failed attempts, with their errors and delays. */
export function CallTries({ call }: { call: Call }) {
  const t = useTranslations("inspector.call");
  const duration = useDuration();
  const told = useReasonText();
  return (
    <Part title={t("tries", { count: call.tries.length })}>
      <ol className="flex flex-col gap-1.5">
        {call.tries.map((attempt) => (
          <li key={attempt.seq} className="flex flex-col">
            <div className="flex min-w-0 items-center gap-1.5">
              <Icon name="retry" size={14} className="text-st-failed" />
              <StepLink step={attempt.seq} />
              <Clock at={attempt.at} precise />
              {attempt.delay_ms !== null && (
                <span className="ml-auto flex-none text-fg-3 tabular-nums">
                  {t("waited", { duration: duration(attempt.delay_ms) })}
                </span>
              )}
            </div>
            <p className="pl-5 wrap-anywhere">
              {attempt.error && <code className="font-mono text-11 text-st-failed">{attempt.error.code} </code>}
              <span className="text-fg-2">{told(attempt.error?.message ?? attempt.reason ?? "")}</span>
            </p>
          </li>
        ))}
      </ol>
    </Part>
  );
}
