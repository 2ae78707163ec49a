"use client";

import { useTranslations } from "next-intl";
import { useMemo } from "react";
import { useOpenFailure } from "@/components/failure/use-open-failure.ts";
import { Icon } from "@/components/ui/icon.tsx";
import { Menu, MenuItem, MenuSeparator } from "@/components/ui/menu.tsx";
import { costOf } from "@/lib/session/prices.ts";
import { totalUsage, usageOfRun } from "@/lib/session/runs/usage.ts";
import type { Run, Session, Usage } from "@/lib/session/session.ts";
import { Clock } from "../../format/clock.tsx";
import { useCostWords } from "../../format/use-cost-words.ts";
import { useDuration } from "../../format/use-duration.ts";
import { useTokenCount } from "../../format/use-token-count.ts";
import type { ResolvedSelection } from "../../selection/resolve-selection.ts";
import { useResolvedSelection } from "../../selection/use-resolved-selection.ts";
import { useSelection } from "../../selection/use-selection.ts";
import { useStudio } from "../use-studio.ts";
import { runFacts } from "./run-facts.ts";
import { RunStatusIcon } from "./run-status-icon.tsx";
import { turnStarts } from "./turns.ts";
import { usePrices } from "./use-prices.ts";

/** Styles of a menu button. */
export const PICK =
  "inline-flex h-[var(--control)] flex-none items-center gap-1.25 rounded-2 border border-line-strong pr-1.5 pl-2 whitespace-nowrap hover:bg-hover aria-expanded:bg-active";

/** Selects a run and an iteration. */
export function RunMenu() {
  const t = useTranslations();
  const session = useStudio((state) => state.session);
  const before = session.runs_before;
  const looked = useResolvedSelection(session);
  const { run, runs, number, iteration, iterations } = looked;
  const total = useTurns(before + runs.length, session.at);
  if (!run) return null;
  const withIterations = iterations.length > 1 || (iterations[0] ?? 0) > 0;
  return (
    <Menu
      align="end"
      label={t("studio.run.label", { number, total })}
      className={PICK}
      trigger={
        <>
          <span className="text-fg-3 narrow:hidden">{t("studio.run.run")}</span>
          <b className="font-medium tabular-nums">
            {number} / {total}
          </b>
          {withIterations && iteration !== null && (
            <span className="text-fg-3 tabular-nums narrow:hidden">
              {t("studio.run.iteration", { number: iteration })}
            </span>
          )}
          <Icon name="down" size={12} />
        </>
      }
    >
      <Runs session={session} looked={looked} />
      <UsageLines run={run} />
    </Menu>
  );
}

/** The runs, newest first, with what each was about, and the iterations of the shown one. */
function Runs({ session, looked }: { session: Session; looked: ResolvedSelection }) {
  const t = useTranslations("studio.run");
  const failed = useTranslations("failure");
  const [, select] = useSelection();
  const duration = useDuration();
  const openFailure = useOpenFailure();
  const { run, runs, iteration, iterations } = looked;
  const newest = runs.at(-1);
  const facts = useMemo(() => runFacts(session).reverse(), [session]);
  return (
    <>
      {facts.map(({ run: one, number, message, calls, failure }) => (
        <div key={one.id} role="none" className="flex items-stretch">
          <MenuItem
            checked={one === run}
            onSelect={() =>
              select({ run: one === newest ? null : one.id, iteration: null, instance: null, call: null })
            }
          >
            <RunStatusIcon run={one} />
            <span className="flex-none tabular-nums">{t("number", { number })}</span>
            <span className="min-w-0 flex-1 truncate text-fg-2">{message}</span>
            {calls > 0 && (
              <span className="flex-none text-11 text-fg-3 tabular-nums">{t("calls", { count: calls })}</span>
            )}
            {one.started_at !== null && one.ended_at !== null && (
              <span className="flex-none text-11 text-fg-3 tabular-nums">
                {duration(Math.max(0, Date.parse(one.ended_at) - Date.parse(one.started_at)))}
              </span>
            )}
            <Clock at={one.started_at} className="flex-none text-11" />
          </MenuItem>
          {failure !== null && (
            <button
              type="button"
              role="menuitem"
              aria-label={failed("open", { step: failure })}
              title={failed("open", { step: failure })}
              onClick={() => openFailure(failure)}
              className="inline-flex w-7 flex-none items-center justify-center rounded-1 text-st-failed outline-none hover:bg-st-failed-bg focus:bg-st-failed-bg phone:w-11"
            >
              <Icon name="failed" size={14} />
            </button>
          )}
        </div>
      ))}
      {iterations.length > 1 && (
        <>
          <MenuSeparator />
          {iterations.map((one) => (
            <MenuItem key={one} checked={one === iteration} onSelect={() => select({ iteration: one, call: null })}>
              {t("iteration", { number: one })}
            </MenuItem>
          ))}
        </>
      )}
    </>
  );
}

/** The number of top-level runs, and how many have started by a step; no others while rows are loading. */
function useTurns(begun: number, at: number): number {
  const rows = useStudio((state) => state.timeline);
  const long = useStudio((state) => state.long);
  const starts = useMemo(() => (long ? [] : turnStarts(rows ?? [])), [rows, long]);
  return long ? Math.max(long.turns, begun) : begun + starts.filter((seq) => seq > at).length;
}

/** Tokens and cost of the run and of the conversation up to the step. */
function UsageLines({ run }: { run: Run }) {
  const t = useTranslations("compare.usage");
  const session = useStudio((state) => state.session);
  if (session.usage.length === 0) return null;
  return (
    <div className="border-line border-t px-2 pt-1.5 pb-1 text-11 text-fg-3">
      <Line name={t("run")} usage={usageOfRun(session, run)} />
      <Line name={t("conversation")} usage={session.usage} />
    </div>
  );
}

function Line({ name, usage }: { name: string; usage: readonly Usage[] }) {
  const t = useTranslations("compare.usage");
  const count = useTokenCount();
  const costs = costOf(usage, usePrices());
  const words = useCostWords();
  const total = totalUsage(usage);
  return (
    <p className="flex justify-between gap-4 whitespace-nowrap tabular-nums">
      {name}
      <span>
        {t("tokens", { input: count(total, "input_tokens"), output: count(total, "output_tokens") })}
        {costs && costs.length > 0 && <b className="pl-2 font-medium text-fg-2">{words(costs)}</b>}
      </span>
    </p>
  );
}
