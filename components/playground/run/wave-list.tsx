"use client";

import { useTranslations } from "next-intl";
import { useSelection } from "@/components/selection/use-selection.ts";
import { useStudio } from "@/components/studio/use-studio.ts";
import { StatusIcon } from "@/components/ui/status-icon.tsx";
import type { Simulation } from "@/lib/plan/schedule/simulation.ts";

/** The most calls of a wave that are named. */
const NAMED = 24;

/** The waves in order with their calls; selecting one goes to it. Calls of the critical path are marked. */
export function WaveList({ simulation: { waves, critical_path, calls } }: { simulation: Simulation }) {
  const t = useTranslations("playground.simulation");
  const at = useStudio((state) => state.at);
  const seek = useStudio((state) => state.seek);
  const [{ call: selected }, select] = useSelection();
  const critical = new Set(critical_path);
  const running = new Set(waves.flat());
  const others = Object.keys(calls).filter((id) => !running.has(id));
  return (
    <div className="max-h-[32%] flex-none overflow-y-auto py-1">
      <ol aria-label={t("waves")}>
        {waves.map((wave, index) => (
          <li
            key={wave[0]}
            aria-current={at === index + 1 ? "step" : undefined}
            className="flex items-start gap-2 px-3 py-px aria-[current=step]:bg-accent-soft"
          >
            <button
              type="button"
              onClick={() => seek(index + 1)}
              aria-label={t("goTo", { wave: index + 1 })}
              className={`min-h-6 min-w-6 flex-none rounded-1 text-11 tabular-nums hover:bg-hover ${at === index + 1 ? "font-semibold text-accent" : "text-fg-3"}`}
            >
              {index + 1}
            </button>
            <span className="flex min-w-0 flex-wrap gap-x-1.5">
              {wave.slice(0, NAMED).map((id) => (
                <CallName
                  key={id}
                  id={id}
                  isCritical={critical.has(id)}
                  isSelected={id === selected}
                  isPast={at > index}
                  status={calls[id]?.status ?? "succeeded"}
                  onSelect={() => select({ call: id })}
                />
              ))}
              {wave.length > NAMED && (
                <span className="py-1 text-11 text-fg-3">{t("more", { count: wave.length - NAMED })}</span>
              )}
            </span>
          </li>
        ))}
      </ol>
      {others.length > 0 && (
        <p className="flex flex-wrap items-center gap-x-1.5 px-3 pl-11 text-11 text-fg-3">
          {t("notReached")}
          {others.slice(0, NAMED).map((id) => (
            <CallName
              key={id}
              id={id}
              isCritical={false}
              isSelected={id === selected}
              isPast
              status={calls[id]?.status ?? "skipped"}
              onSelect={() => select({ call: id })}
            />
          ))}
          {others.length > NAMED && t("more", { count: others.length - NAMED })}
        </p>
      )}
    </div>
  );
}

interface CallNameProps {
  id: string;
  /** It is on the critical path. */
  isCritical: boolean;
  isSelected: boolean;
  isPast: boolean;
  status: Simulation["calls"][string]["status"];
  onSelect: () => void;
}

function CallName({ id, isCritical, isSelected, isPast, status, onSelect }: CallNameProps) {
  const t = useTranslations("playground.simulation");
  const tStatus = useTranslations("events.call_status");
  const shown = isPast ? status : "planned";
  return (
    <button
      type="button"
      aria-pressed={isSelected}
      title={isCritical ? t("critical") : undefined}
      onClick={onSelect}
      className={`inline-flex min-h-6 max-w-full items-center gap-1 rounded-1 px-1 text-12 hover:bg-hover ${isSelected ? "bg-accent-soft text-accent" : "text-fg"}`}
    >
      <StatusIcon status={shown} size={12} label={tStatus(shown)} />
      <span className={`truncate ${isCritical ? "font-semibold" : ""}`}>{id}</span>
      {isCritical && <span className="sr-only">{t("critical")}</span>}
    </button>
  );
}
