"use client";

import { useTranslations } from "next-intl";
import { type ReactNode, useEffect } from "react";
import { useAgents } from "@/components/agents/use-agents.ts";
import { useStudio } from "@/components/studio/use-studio.ts";
import { Box } from "./box.tsx";
import { newId } from "./new-id.ts";
import { outbox } from "./tab-outbox.ts";
import { useDraft } from "./use-draft.ts";
import { useWhoAnswers } from "./use-who-answers.ts";
import type { Answerer } from "./who-answers.ts";

/** The hash that focuses the box. */
export const BOX_ID = "write";

/** Focuses the box. */
export function focusBox(): void {
  document.getElementById(BOX_ID)?.focus();
}

/** Whether the hash asks for the box. */
export function isAskedToWrite(): boolean {
  return window.location.hash === `#${BOX_ID}`;
}

/**
 * The message box of a conversation: to its agent, or recorded only without one, or as the manager during a takeover
 * (D11).
 */
export function StudioBox({ aside }: { aside: ReactNode }) {
  const t = useTranslations("compose");
  const conversationId = useStudio((state) => state.conversationId);
  const offline = useStudio(({ connection }) => connection === "offline");
  const { user_id, agent_id, taken_over } = useStudio(({ session }) => session.summary);
  const { isPending } = useAgents();
  const [text, write] = useDraft(conversationId);
  // Where the agents cannot be loaded, the server decides who answers.
  const agent = useWhoAnswers();
  const manager = taken_over !== null;
  const recorded = agent === null;
  const { note, ...words } = useWords(manager ? "manager" : agent, agent_id, user_id ?? t("user"));

  // The outside system is the address: Next scrolls to the element of a hash, but does not focus it.
  useEffect(() => {
    if (isAskedToWrite()) focusBox();
  }, []);

  const send = () => {
    const said = { id: newId(), conversationId, content: text };
    void outbox.send({ ...said, userId: recorded ? user_id : null, recorded, manager });
    write("");
  };
  return (
    <>
      {note && <p className="mb-1.5 text-11 text-pretty text-fg-3">{note}</p>}
      <Box
        id={BOX_ID}
        text={text}
        {...words}
        busy={isPending && !manager}
        obstacle={offline ? t("offline") : null}
        aside={aside}
        onWrite={write}
        onSend={send}
      />
    </>
  );
}

/** The box's label and notes. */
function useWords(agent: Answerer | "manager" | null | undefined, agentId: string | null, user: string) {
  const t = useTranslations("compose");
  if (agent === "manager") return { label: t("manager", { user }), send: t("send"), note: t("managerNote") };
  if (agent === undefined) return { label: t("as", { user }), send: t("send"), note: null };
  if (agent === null)
    return {
      label: t("record", { user }),
      send: t("recordIt"),
      note: agentId === null ? t("nobody") : t("elsewhere", { agent: agentId }),
    };
  const note = agent.mode === "full" ? null : t(`agents.${agent.mode}`);
  return { label: t("to", { agent: agent.id, user }), send: t("send"), note };
}
