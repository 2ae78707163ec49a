"use client";

import { useMutation } from "@tanstack/react-query";
import { useTranslations } from "next-intl";
import { useState } from "react";
import { RequirePermission } from "@/components/access/require-permission.tsx";
import { callApi } from "@/components/client/api.ts";
import { CompareWithSource } from "@/components/compare/compare-link.tsx";
import { useWhoAnswers } from "@/components/compose/use-who-answers.ts";
import { Refusal } from "@/components/decision/refusal.tsx";
import { useStudio } from "@/components/studio/use-studio.ts";
import { Button } from "@/components/ui/button.tsx";
import { Icon } from "@/components/ui/icon.tsx";
import { Link } from "@/components/ui/link.tsx";
import { choosePlan } from "@/lib/session/runs/choose-plan.ts";
import type { Summary } from "@/lib/session/session.ts";
import { ForkMode } from "./fork-mode.tsx";
import { useForkMode } from "./use-fork-mode.ts";
import { type ForkPreview, useForkPreview } from "./use-fork-preview.ts";
import { useNameOf } from "./use-name-of.ts";

type Source = NonNullable<Summary["forked_from"]>;

/** The source of a fork, and its actions while nothing has run (E9). */
export function ForkBanner({ from }: { from: Source }) {
  const t = useTranslations("fork.banner");
  const id = useStudio((state) => state.conversationId);
  const session = useStudio((state) => state.session);
  const following = useStudio((state) => state.following);
  const name = useNameOf(from.conversation_id);
  const mode = useForkMode(id, session.summary.newest_run);
  const isUntouched = useStudio(({ now }) => now.untouched);
  const preview = useForkPreview(
    id,
    useStudio(({ last }) => last),
    isUntouched,
  );
  const isAnswered = useWhoAnswers() !== null;
  const hasPlan = choosePlan(session, null, null) !== null && preview?.left !== 0;
  return (
    <section
      aria-label={t("label")}
      className="flex min-h-8.5 flex-none flex-wrap items-center gap-x-3 gap-y-1 border-line-strong border-b bg-sunken px-3 py-1 text-12"
    >
      <span className="flex min-w-0 items-center gap-1.5">
        <Icon name="fork" size={14} className="text-fg-3" />
        <span className="min-w-0 truncate">
          {t.rich("of", {
            step: from.seq,
            name,
            source: (words) => (
              <Link
                href={`/conversations/${encodeURIComponent(from.conversation_id)}?at=${from.seq}`}
                className="font-medium underline underline-offset-3"
              >
                {words}
              </Link>
            ),
          })}
        </span>
      </span>
      <span className="text-fg-2">{t("own")}</span>
      {mode && (
        <ForkMode id={id} mode={mode} canBeReal={isAnswered || (isUntouched ? preview && hasTools(preview) : false)} />
      )}
      <CompareWithSource source={from.conversation_id} fork={id} />
      {following && isUntouched && (
        <RequirePermission permission="operate" otherwise="nothing">
          <Next id={id} isReal={mode === "real"} hasPlan={hasPlan} isAnswered={isAnswered} />
        </RequirePermission>
      )}
    </section>
  );
}

/** There are calls to run, and this server has all their tools. */
function hasTools({ left, unknown_tools }: ForkPreview): boolean {
  return left > 0 && unknown_tools.length === 0;
}

/** What can run: the plan, if there is one, and a message, if an agent answers. */
const NEXT = {
  "true-true": "nothing",
  "true-false": "runPlan",
  "false-true": "write",
  "false-false": "recorded",
} as const;

interface NextProps {
  id: string;
  isReal: boolean;
  hasPlan: boolean;
  isAnswered: boolean;
}

/** The next action: run the plan, or write a message. */
function Next({ id, isReal, hasPlan, isAnswered }: NextProps) {
  const t = useTranslations("fork.banner");
  const run = useRunFork(id);
  const [mode, setMode] = useState<RealMode>("confirm");
  return (
    <>
      <span className="text-fg-2">{t(NEXT[`${hasPlan}-${isAnswered}`])}</span>
      {hasPlan && (
        <span className="ml-auto flex items-center gap-1.5">
          {isReal && (
            <select
              aria-label={t("mode")}
              value={mode}
              onChange={({ target }) => setMode(REAL_MODES.find((one) => one === target.value) ?? "confirm")}
              className="h-[var(--control)] rounded-2 border border-line-control bg-surface px-1.5"
            >
              {REAL_MODES.map((one) => (
                <option key={one} value={one}>
                  {t(`modes.${one}`)}
                </option>
              ))}
            </select>
          )}
          <Button
            variant="primary"
            disabled={run.isPending || run.isSuccess}
            onClick={() => run.mutate(isReal ? mode : "shadow")}
          >
            <Icon name="play" size={14} />
            {t(run.isPending ? "starting" : "run")}
          </Button>
        </span>
      )}
      {run.error && (
        <div className="basis-full">
          <Refusal error={run.error} />
        </div>
      )}
    </>
  );
}

/** Modes of a fork that calls real tools; risky calls require approval in each (P22). */
const REAL_MODES = ["confirm", "execute"] as const;
type RealMode = (typeof REAL_MODES)[number];

/** Runs the plan of a fork. The result arrives as events. */
function useRunFork(forkId: string) {
  return useMutation({
    mutationFn: (mode: RealMode | "shadow") =>
      callApi<{ run_id: string }>(`/api/conversations/${encodeURIComponent(forkId)}/fork/run`, {
        method: "POST",
        body: { mode },
      }),
  });
}
