"use client";

import { useTranslations } from "next-intl";
import { Icon } from "@/components/ui/icon.tsx";
import { Link } from "@/components/ui/link.tsx";
import { About, Step } from "./step.tsx";

/** A recorded failure: where it is, and what failed. */
export interface RecordedFailure {
  conversation: string;
  title: string;
  tool: string;
  /** The step at which it failed. */
  seq: number;
}

interface ReplayStepProps {
  /** Null without the demo. */
  failure: RecordedFailure | null;
  isDone: boolean;
  onOpen: () => void;
}

/** The second thing to try: a recorded session, opened at its failure. */
export function ReplayStep({ failure, isDone, onOpen }: ReplayStepProps) {
  const t = useTranslations("welcome.replay");
  const standing = isDone
    ? ({ status: "succeeded", words: t("done") } as const)
    : ({ status: "planned", words: t(failure ? "open" : "absent") } as const);
  return (
    <Step number={2} title={t("title")} isDone={isDone} standing={standing}>
      {failure ? (
        <>
          <About>
            {t.rich("text", {
              title: failure.title,
              tool: failure.tool,
              step: failure.seq,
              code: (words) => <code className="font-mono text-12 text-fg">{words}</code>,
            })}
          </About>
          <p className="mt-2">
            <Link
              href={`/conversations/${failure.conversation}?at=${failure.seq}&failure=${failure.seq}`}
              onClick={onOpen}
              className="inline-flex h-[var(--control)] phone:h-11 items-center gap-1.5 rounded-2 border border-line-strong bg-raised pr-2.5 pl-2 font-medium hover:bg-hover"
            >
              <Icon name="play" size={14} className="text-fg-3" />
              {t(isDone ? "again" : "action")}
            </Link>
          </p>
        </>
      ) : (
        <About>
          {t.rich("noDemo", {
            code: (words) => <code className="font-mono text-12 text-fg">{words}</code>,
            link: (words) => (
              <Link href="/?status=failed" className="text-accent underline underline-offset-2">
                {words}
              </Link>
            ),
          })}
        </About>
      )}
    </Step>
  );
}
