"use client";

import { useTranslations } from "next-intl";
import { useStudio } from "@/components/studio/use-studio.ts";
import { Button } from "@/components/ui/button.tsx";
import { Icon } from "@/components/ui/icon.tsx";
import type { Fault, Unsent } from "./outbox.ts";
import { focusBox } from "./studio-box.tsx";
import { outbox } from "./tab-outbox.ts";
import { useDraft } from "./use-draft.ts";

/** Messages of this tab that the log does not have yet, with their errors. */
export function UnsentMessages({ messages }: { messages: readonly Unsent[] }) {
  if (messages.length === 0) return null;
  return (
    <div className="mt-2 px-3">
      {messages.map((message) => (
        <UnsentMessage key={message.id} message={message} />
      ))}
    </div>
  );
}

function UnsentMessage({ message }: { message: Unsent }) {
  const t = useTranslations("compose.unsent");
  const user = useStudio(({ session }) => session.summary.user_id);
  const words = useTranslations("compose");
  const roles = useTranslations("events.role");
  const { state, content, manager = false } = message;
  const writer = manager ? roles("operator") : (user ?? words("user"));
  const bar = manager ? "border-st-escalated" : "border-k-message";
  const fault = typeof state === "string" ? null : state;
  return (
    <article className={`my-1 rounded-r-1 border-l-2 py-0.5 pr-1 pl-2.5 ${fault ? "border-st-failed" : bar}`}>
      <header className="mb-0.5 flex items-baseline gap-1.5">
        <b className="min-w-0 truncate font-semibold">{writer}</b>
        <span role="status" className="ml-auto flex-none text-11 text-fg-3">
          {state === "sending" ? t("sending") : ""}
        </span>
      </header>
      <p
        className={`text-13 leading-[var(--lh-body)] text-pretty whitespace-pre-wrap wrap-anywhere ${state === "sent" ? "" : "text-fg-2"}`}
      >
        {content}
      </p>
      {fault && <Failed message={message} fault={fault} />}
    </article>
  );
}

function Failed({ message, fault }: { message: Unsent; fault: Fault }) {
  const t = useTranslations("compose.unsent");
  const [draft, write] = useDraft(message.conversationId);
  // The buttons disappear with the message, so the box gets the focus.
  const again = () => {
    focusBox();
    void outbox.sendAgain(message);
  };
  const drop = () => {
    focusBox();
    outbox.drop(message);
  };
  const edit = () => {
    write(draft.trim() === "" ? message.content : `${message.content}\n\n${draft}`);
    drop();
  };
  return (
    <div className="mt-1">
      <p role="alert" className="flex gap-1.5 text-st-failed">
        <Icon name="failed" size={14} className="mt-px" />
        <span className="min-w-0 text-pretty wrap-anywhere">
          {fault.kind === "refused" ? t("refused", { reason: fault.message }) : t(fault.kind)}
        </span>
      </p>
      <div className="mt-1.5 flex flex-wrap gap-1.5">
        <Button onClick={again}>{t("again")}</Button>
        {/* A refused message was not stored, so it can be edited and sent as a new one. */}
        {fault.kind === "refused" ? (
          <Button variant="ghost" onClick={edit}>
            {t("edit")}
          </Button>
        ) : (
          <Button variant="ghost" onClick={drop}>
            {t("drop")}
          </Button>
        )}
      </div>
    </div>
  );
}
