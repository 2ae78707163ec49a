"use client";

import { focusBox } from "@/components/compose/studio-box.tsx";
import { conversationName } from "@/components/studio/header/run-name.ts";
import { useStudio } from "@/components/studio/use-studio.ts";
import { HandBack } from "@/components/takeover/hand-back.tsx";
import { TakeOver } from "@/components/takeover/take-over.tsx";

const HANDS_ID = "hands";

/** Not to the box: what stands there next is the user's message, and somebody may be writing still. */
function focusHands(): void {
  document.getElementById(HANDS_ID)?.focus();
}

/** In whose hands the conversation is: the way to take it over from its agent, or to hand it back (D11). */
export function Hands() {
  const conversationId = useStudio((state) => state.conversationId);
  const name = useStudio(({ session }) => conversationName(session, null));
  const { taken_over, escalated, open_runs, channel } = useStudio(({ session }) => session.summary);
  // What was imported is over, unless it came with a call that nobody has answered.
  if (channel === "import" && !escalated) return null;
  return (
    <div id={HANDS_ID} tabIndex={-1} className="hands">
      {taken_over ? (
        <HandBack conversationId={conversationId} name={name ?? conversationId} onBack={focusHands} />
      ) : (
        <TakeOver conversationId={conversationId} ends={Object.keys(open_runs).length > 0} onTaken={focusBox} />
      )}
    </div>
  );
}
