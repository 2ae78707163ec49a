"use client";

import { useTranslations } from "next-intl";
import { useMemo } from "react";
import { missingInputsOf } from "@/components/selection/missing-inputs.ts";
import { useSelectCall } from "@/components/selection/use-select-call.ts";
import { PathPill } from "@/components/ui/path-pill.tsx";
import { shownStatus } from "@/components/ui/status.ts";
import { StatusIcon } from "@/components/ui/status-icon.tsx";
import type { Call, Session } from "@/lib/session/session.ts";
import { Part } from "../part.tsx";

/** The inputs for which a call waits or was blocked, with the calls that should have written them. */
export function CallMissingInputs({ session, call }: { session: Session; call: Call }) {
  const t = useTranslations();
  const selectCall = useSelectCall();
  const wants = useMemo(() => missingInputsOf(session, call), [session, call]);
  if (wants.length === 0) return null;
  return (
    <Part title={t(`inspector.call.${titleOf(call)}`)}>
      <ul className="flex flex-col gap-1">
        {wants.map(({ path, writers }) => (
          <li key={path} className="flex min-w-0 flex-wrap items-center gap-x-2 gap-y-0.5">
            <PathPill path={path} />
            {writers.map((writer) => (
              <button
                key={writer.id}
                type="button"
                onClick={() => selectCall(writer)}
                className="inline-flex min-h-6 min-w-0 items-center gap-1 font-medium hover:underline"
              >
                <StatusIcon
                  status={shownStatus(writer)}
                  size={14}
                  label={t(`events.call_status.${shownStatus(writer)}`)}
                />
                <span className="truncate">{writer.tool}</span>
              </button>
            ))}
          </li>
        ))}
      </ul>
    </Part>
  );
}

function titleOf({ status }: Call): "blockedFor" | "skippedFor" | "waitsFor" {
  if (status === "blocked") return "blockedFor";
  return status === "skipped" ? "skippedFor" : "waitsFor";
}
