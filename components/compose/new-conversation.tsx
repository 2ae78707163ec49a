"use client";

import { useMutation } from "@tanstack/react-query";
import { useRouter, useSearchParams } from "next/navigation";
import { useTranslations } from "next-intl";
import { useRef, useState } from "react";
import { ApiProblem, callApi } from "@/components/client/api.ts";
import { rememberPreference } from "@/components/client/preference.ts";
import { useConnection } from "@/components/client/use-connection.ts";
import { AgentChoice } from "./agent-choice.tsx";
import { Box } from "./box.tsx";
import { newId } from "./new-id.ts";
import { BOX_ID } from "./studio-box.tsx";
import { outbox } from "./tab-outbox.ts";
import { useDraft } from "./use-draft.ts";
import { useInputBeforeHydration } from "./use-input-before-hydration.ts";
import { type Answerer, defaultFirst } from "./who-answers.ts";
import { WRITER_COOKIE } from "./writer.ts";

/** The draft key of the first message, before the conversation exists. */
const FIRST = "new";

interface NewConversationProps {
  agents: readonly Answerer[];
  /** The user id that was used last. */
  writer: string;
}

/** Starts a conversation with an agent. It is created when its first message is sent, so that none stays empty. */
export function NewConversation({ agents, writer }: NewConversationProps) {
  const t = useTranslations("compose");
  const router = useRouter();
  const asked = useSearchParams().get("agent");
  const offline = useConnection() === "offline";
  const create = useCreate();
  const [id] = useState(newId);
  const [typed, setTyped] = useState(writer);
  const name = useRef<HTMLInputElement>(null);
  useInputBeforeHydration(name, typed, setTyped);
  const [text, write] = useDraft(FIRST);
  const user = typed.trim();
  const offered = defaultFirst(agents);
  const agent = offered.find((one) => one.id === asked) ?? offered[0];
  const recorded = agent === undefined;

  const choose = (chosen: string) =>
    window.history.replaceState(null, "", `?${new URLSearchParams({ agent: chosen })}`);
  // The studio opens after the message is stored, because its first words are the title.
  const send = async () => {
    await outbox.send({ id: newId(), conversationId: id, content: text, userId: recorded ? user : null, recorded });
    write("");
    router.push(`/conversations/${id}#${BOX_ID}`);
  };
  const begin = () => {
    rememberPreference(WRITER_COOKIE, user);
    create.mutate({ id, channel: "web", user_id: user, ...(agent && { agent_id: agent.id }) }, { onSuccess: send });
  };

  const busy = create.isPending || create.isSuccess;
  const obstacle = offline ? t("offline") : user === "" ? t("sayWho") : null;
  return (
    <div className="flex flex-col gap-5">
      <AgentChoice agents={offered} chosen={agent?.id ?? null} onChoose={choose} />
      <label className="block max-w-80">
        <span className="mb-1 block text-fg-3">{t("writeAs")}</span>
        <input
          ref={name}
          value={typed}
          onChange={(event) => setTyped(event.target.value)}
          maxLength={200}
          autoComplete="off"
          spellCheck={false}
          className="block h-7.5 phone:h-11 w-full rounded-2 border border-line-control bg-surface px-2 text-13 text-fg"
        />
        <span className="mt-1 block text-11 text-pretty text-fg-3">{t("writeAsHint")}</span>
      </label>
      <div>
        <Box
          id={BOX_ID}
          autoFocus
          text={text}
          label={t("first")}
          send={recorded ? t("recordIt") : t("send")}
          obstacle={obstacle}
          busy={busy}
          aside={busy && t("unsent.sending")}
          onWrite={write}
          onSend={begin}
        />
        <Refused error={create.error} />
      </div>
    </div>
  );
}

function Refused({ error }: { error: Error | null }) {
  const t = useTranslations("compose");
  if (!error) return null;
  const faults = error instanceof ApiProblem ? error.errors.map(({ message }) => message) : [];
  return (
    <p role="alert" className="mt-2 text-pretty text-st-failed wrap-anywhere">
      {error instanceof ApiProblem ? [error.message, ...faults].join(" · ") : t("notBegun")}
    </p>
  );
}

interface NewConversation {
  /** Chosen by the client: creating it again has no effect. */
  id: string;
  channel: string;
  user_id: string;
  agent_id?: string;
}

/** Creates a conversation. */
function useCreate() {
  return useMutation({
    mutationFn: (body: NewConversation) => callApi<unknown>("/api/conversations", { method: "POST", body }),
  });
}
