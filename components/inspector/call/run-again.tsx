"use client";

import { useTranslations } from "next-intl";
import { RequirePermission } from "@/components/access/require-permission.tsx";
import { Refusal } from "@/components/decision/refusal.tsx";
import { useSelectCall } from "@/components/selection/use-select-call.ts";
import { useOwnRun } from "@/components/studio/header/use-own-run.ts";
import { useRunAction } from "@/components/studio/header/use-run-action.ts";
import { Button } from "@/components/ui/button.tsx";
import { Icon } from "@/components/ui/icon.tsx";
import { isChildOf } from "@/lib/session/runs/child-run.ts";
import type { Call, Session } from "@/lib/session/session.ts";

/**
 * Runs a failed call of this server again (P24). A delegate's run has ended with its call, so that call is run again
 * instead.
 */
export function RunAgain({ session, call }: { session: Session; call: Call }) {
  const t = useTranslations("inspector.call");
  const run = session.runs.get(call.run_id ?? "") ?? null;
  const own = useOwnRun(run);
  const action = useRunAction();
  const selectCall = useSelectCall();
  if (call.status !== "failed" || call.handled || !run || !own) return null;
  const parent = run.parent_run_id === null ? null : [...session.calls.values()].find((one) => isChildOf(run, one));
  if (parent)
    return (
      <Button className="mt-2" onClick={() => selectCall(parent)}>
        {t("delegateFailed", { tool: parent.tool })}
      </Button>
    );
  return (
    <div className="mt-2">
      <RequirePermission permission="operate">
        <Button
          disabled={action.isPending || action.isSuccess}
          onClick={() => action.mutate({ kind: "resume", run: run.id, calls: [call] })}
        >
          <Icon name="retry" size={14} />
          {t("runAgain")}
        </Button>
      </RequirePermission>
      <Refusal error={action.error} />
    </div>
  );
}
