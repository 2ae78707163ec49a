"use client";

import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useTranslations } from "next-intl";
import { useState } from "react";
import { RequirePermission } from "@/components/access/require-permission.tsx";
import { ApiProblem, callApi } from "@/components/client/api.ts";
import { refetchAfterChange } from "@/components/client/refetch-after-change.ts";
import { Button } from "@/components/ui/button.tsx";
import { Segmented } from "@/components/ui/segmented.tsx";
import { SaveError } from "./entry/save-error.tsx";
import { AGENTS_KEY } from "./queries.ts";
import { definitionOf, MODES, type Mode, type RunningAgent } from "./running-agent.ts";

/** The mode of an agent, with its meaning. Switching to full is confirmed once. */
export function ModeSwitch({ agent }: { agent: RunningAgent }) {
  const t = useTranslations("agents.mode");
  const [asking, setAsking] = useState(false);
  const change = useSetMode(agent);
  const set = (mode: Mode) => {
    setAsking(false);
    change.mutate(mode);
  };
  const choose = (mode: Mode) => {
    change.reset();
    if (mode === agent.mode) setAsking(false);
    else if (mode === "full") setAsking(true);
    else set(mode);
  };
  const chosen = asking ? "full" : change.isPending ? change.variables : agent.mode;
  return (
    <div>
      <div className="flex flex-wrap items-center gap-x-2.5 gap-y-1">
        <RequirePermission permission="admin">
          <Segmented
            label={t("label", { agent: agent.id })}
            value={chosen}
            options={MODES.map((mode) => ({ value: mode, label: t(mode), title: t(`means.${mode}`) }))}
            onChange={choose}
          />
        </RequirePermission>
        <p className="min-w-60 flex-1 text-pretty text-fg-2">{t(`means.${chosen}`)}</p>
      </div>
      {asking && (
        <fieldset
          aria-label={t("ask", { agent: agent.id })}
          className="mt-2 flex flex-wrap items-center gap-2 rounded-2 bg-st-waiting-bg px-2.5 py-2"
        >
          <p className="min-w-50 flex-1 text-pretty">{t("ask", { agent: agent.id })}</p>
          <Button onClick={() => set("full")}>{t("confirm")}</Button>
          <Button onClick={() => setAsking(false)}>{t("keep", { mode: t(agent.mode) })}</Button>
        </fieldset>
      )}
      <p role="status" className="sr-only">
        {change.isSuccess ? t("changed", { agent: agent.id, mode: t(agent.mode) }) : ""}
      </p>
      {change.error &&
        (change.error instanceof ApiProblem && change.error.status === 412 ? (
          <p role="alert" className="mt-1.5 text-st-failed">
            {t("stale", { mode: t(agent.mode) })}
          </p>
        ) : (
          <SaveError error={change.error} />
        ))}
    </div>
  );
}

/**
 * Changes an agent's mode (M13) from its next turn on, if the stored version is the one on screen. A conflict is an
 * `ApiProblem` with status 412, after which the page shows the current mode.
 */
function useSetMode(agent: RunningAgent) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (mode: Mode) =>
      callApi<RunningAgent>(`/api/agents/${encodeURIComponent(agent.id)}`, {
        method: "PUT",
        body: { ...definitionOf(agent), mode },
        headers: { "if-match": `"${agent.version}"` },
      }),
    onSuccess: (written) =>
      queries.setQueryData<RunningAgent[]>(AGENTS_KEY, (all) =>
        all?.map((one) => (one.id === written.id ? written : one)),
      ),
    onError: () => refetchAfterChange(queries, AGENTS_KEY),
  });
}
