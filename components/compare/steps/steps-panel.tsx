"use client";

import { useQuery } from "@tanstack/react-query";
import { useMemo } from "react";
import { sessionSource } from "@/components/replay/load-session.ts";
import { compareSteps } from "@/lib/session/compare/steps.ts";
import type { View } from "@/lib/session/session.ts";
import { decodeTimeline } from "@/lib/session/timeline/timeline.ts";
import { fromView } from "@/lib/session/view.ts";
import { rowsKey } from "../queries.ts";
import { Waiting } from "../waiting.tsx";
import { StepList } from "./step-list.tsx";

/** All steps of both sides, aligned by their content. */
export function StepsPanel({ a, b }: { a: View; b: View }) {
  const [rowsA, rowsB] = [useRows(a.conversation_id ?? ""), useRows(b.conversation_id ?? "")];
  const comparison = useMemo(
    () =>
      rowsA.data && rowsB.data
        ? compareSteps({ rows: rowsA.data, session: fromView(a) }, { rows: rowsB.data, session: fromView(b) })
        : null,
    [rowsA.data, rowsB.data, a, b],
  );
  if (comparison) return <StepList comparison={comparison} a={a} b={b} />;
  return (
    <Waiting
      error={rowsA.error ?? rowsB.error}
      onRetry={() => {
        void rowsA.refetch();
        void rowsB.refetch();
      }}
    />
  );
}

/** The step rows of a session. */
function useRows(id: string) {
  return useQuery({
    queryKey: rowsKey(id),
    queryFn: async ({ signal }) => decodeTimeline(await sessionSource(id).timeline(signal)),
  });
}
