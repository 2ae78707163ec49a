"use client";

import { useTranslations } from "next-intl";
import { Segmented } from "@/components/ui/segmented.tsx";
import type { AgentStateVersion } from "@/lib/api/shapes.ts";
import { useAgentSelection } from "../use-agent-selection.ts";
import { useValue } from "./use-value.ts";
import { ValueChanges } from "./value-changes.tsx";

interface ChangesViewProps {
  agent: string;
  entryKey: string;
  /** Newest first. */
  versions: readonly AgentStateVersion[];
  /** The version to show; null for the newest, which is a deletion. */
  version: number | null;
}

/** The differences of a version: from the one before it, or to the newest. */
export function ChangesView({ agent, entryKey, versions, version }: ChangesViewProps) {
  const t = useTranslations("agents.changes");
  const [{ against }, select] = useAgentSelection();
  const newest = versions[0]?.version ?? 0;
  const looked = version ?? newest;
  const index = versions.findIndex((one) => one.version === looked);
  // Versions that are not loaded are consecutive.
  const before = versions[index + 1]?.version ?? looked - 1;
  const toNewest = against === "current" && looked !== newest;
  const [from, to] = toNewest ? [looked, newest] : [before, looked];
  const old = useValue(agent, entryKey, from > 0 ? from : null);
  const next = useValue(agent, entryKey, to);
  const isReady = (from === 0 || old.data) && next.data;
  const failed = old.error ?? next.error;
  return (
    <div className="flex h-full min-h-0 flex-col">
      <div className="flex min-h-10 flex-none flex-wrap items-center gap-2 px-4 py-1.5">
        {looked !== newest && (
          <Segmented
            label={t("label")}
            value={toNewest ? "current" : "before"}
            options={[
              { value: "before", label: t("before") },
              { value: "current", label: t("current") },
            ]}
            onChange={(value) => select({ against: value })}
          />
        )}
        <span className="text-fg-3">{from > 0 ? t("fromTo", { from, to }) : t("first", { version: to })}</span>
      </div>
      <div className="min-h-0 flex-1 overflow-y-auto px-4 pb-4">
        {failed ? (
          <p role="alert" className="text-st-failed">
            {failed.message}
          </p>
        ) : isReady ? (
          <ValueChanges before={from > 0 ? old.data?.value : undefined} after={next.data?.value} />
        ) : (
          <p role="status" className="text-fg-3">
            {t("loading")}
          </p>
        )}
      </div>
    </div>
  );
}
