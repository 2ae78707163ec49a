"use client";

import { useTranslations } from "next-intl";
import { useDeferredValue, useMemo } from "react";
import { QueuePart } from "@/components/queue/queue-part.tsx";
import { callOfEvent } from "@/components/selection/event-call.ts";
import { findCall } from "@/components/selection/select-call.ts";
import { useResolvedSelection } from "@/components/selection/use-resolved-selection.ts";
import { useSelection } from "@/components/selection/use-selection.ts";
import { useStudio } from "@/components/studio/use-studio.ts";
import { type Scorable, ScorePart } from "./score-part.tsx";

/** The Review tab: what people, programs and rules say of the conversation, and of what is selected in it. */
export function ReviewTab() {
  const conversationId = useStudio((state) => state.conversationId);
  const words = useTranslations("inspector");
  const scorables = useScorables();
  return (
    <div className="h-full overflow-y-auto">
      <h3 className="sr-only">{words("tabs.review")}</h3>
      <QueuePart conversationId={conversationId} />
      <ScorePart conversationId={conversationId} scorables={scorables} />
    </div>
  );
}

/** The conversation, the step that is shown, and the call that is selected or of this step. */
function useScorables(): Scorable[] {
  const t = useTranslations("review.scores");
  const session = useDeferredValue(useStudio((state) => state.session));
  const event = useStudio((state) => state.event);
  const at = useStudio((state) => state.at);
  const looked = useResolvedSelection(session);
  const [{ call: selected }] = useSelection();
  const call = useMemo(
    () => (selected === null ? callOfEvent(session, event) : findCall(session, looked, selected)),
    [session, event, looked, selected],
  );
  const whole = { seq: null, run_id: null, call_id: null };
  return [
    { key: "conversation", label: t("conversation"), target: whole },
    ...(at > 0 ? [{ key: "step" as const, label: t("step", { step: at }), target: { ...whole, seq: at } }] : []),
    ...(call
      ? [{ key: "call" as const, label: call.tool, target: { seq: null, run_id: call.run_id, call_id: call.id } }]
      : []),
  ];
}
