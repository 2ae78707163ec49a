"use client";

import { useTranslations } from "next-intl";
import { RequirePermission } from "@/components/access/require-permission.tsx";
import { Refusal } from "@/components/decision/refusal.tsx";
import { AskOnce } from "@/components/ui/ask-once.tsx";
import { Button } from "@/components/ui/button.tsx";
import type { ForkMode as Mode } from "@/lib/session/events/catalogue.ts";
import { useSetForkMode } from "./use-fork-mode.ts";

/**
 * Whether the fork's tools are simulated or real, with a switch. Calling real tools has to be confirmed, and is offered
 * only where a tool can be called; `canBeReal` is undefined while unknown.
 */
export function ForkMode({ id, mode, canBeReal }: { id: string; mode: Mode; canBeReal: boolean | undefined }) {
  const t = useTranslations("fork.banner");
  const set = useSetForkMode(id);
  const isReal = mode === "real";
  return (
    <>
      <span className={isReal ? "rounded-2 bg-st-waiting-bg px-1.5 font-medium text-st-waiting" : "text-fg-2"}>
        {t(`tools.${!isReal && canBeReal === false ? "only" : mode}`)}
      </span>
      <RequirePermission permission="operate" otherwise="nothing">
        {isReal ? (
          <Button variant="ghost" disabled={set.isPending} onClick={() => set.mutate("shadow")}>
            {t("change.shadow")}
          </Button>
        ) : (
          canBeReal && (
            <AskOnce
              trigger={t("change.real")}
              label={t("change.label")}
              confirm={t("change.real")}
              keep={t("change.keep")}
              danger
              busy={set.isPending}
              onConfirm={(close) => set.mutate("real", { onSuccess: close })}
            >
              <p>{t("change.what")}</p>
              <p className="text-fg-2">{t("change.still")}</p>
            </AskOnce>
          )
        )}
      </RequirePermission>
      {set.error && (
        <div className="basis-full">
          <Refusal error={set.error} />
        </div>
      )}
    </>
  );
}
