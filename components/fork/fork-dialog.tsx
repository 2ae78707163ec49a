"use client";

import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useRouter } from "next/navigation";
import { useTranslations } from "next-intl";
import { useEffect, useRef, useState } from "react";
import { callApi } from "@/components/client/api.ts";
import { refetchAfterChange } from "@/components/client/refetch-after-change.ts";
import { BOX_ID } from "@/components/compose/studio-box.tsx";
import { writeDraft } from "@/components/compose/use-draft.ts";
import { FIELD } from "@/components/decision/form.tsx";
import { Refusal } from "@/components/decision/refusal.tsx";
import { useStudio } from "@/components/studio/use-studio.ts";
import { Button } from "@/components/ui/button.tsx";
import { Icon } from "@/components/ui/icon.tsx";
import { Segmented } from "@/components/ui/segmented.tsx";
import type { Conversation } from "@/lib/api/shapes.ts";
import type { Session } from "@/lib/session/session.ts";
import {
  type FieldErrors,
  type ForkBody,
  type ForkDraft,
  newestSaid,
  openAt,
  planText,
  readDraft,
} from "./fork-draft.ts";
import { ForkWarnings } from "./fork-warnings.tsx";
import { PlanField } from "./plan-field.tsx";
import { forksKey } from "./queries.ts";
import { ValueFields } from "./value-fields.tsx";

const NO_FLAWS: FieldErrors = new Map();

/** The field that gets the focus. */
const FIRST_ID = "fork-title-field";

interface ForkDialogProps {
  /** The session at the step. */
  session: Session;
  name: string | null;
  onClose: () => void;
}

/** The title and changes of a fork, which is then created and opened. Nothing runs. */
export function ForkDialog({ session, name, onClose }: ForkDialogProps) {
  const t = useTranslations("fork");
  const router = useRouter();
  const dialog = useRef<HTMLDialogElement>(null);
  const conversationId = useStudio((state) => state.conversationId);
  const fork = useMakeFork(conversationId);
  const said = newestSaid(session);
  const [draft, setDraft] = useState<ForkDraft>(() => ({
    title: name === null ? "" : t("titleOf", { name }),
    what: "step",
    values: [],
    plan: planText(session),
    message: said?.content ?? "",
  }));
  // Errors are shown after the first submit, until they are fixed.
  const [isTried, setTried] = useState(false);
  const read = readDraft(draft, session);
  const flawed = isTried && !read.ok ? read.flawed : NO_FLAWS;
  const change = (part: Partial<ForkDraft>) => setDraft({ ...draft, ...part });
  const at = draft.what === "message" && said ? said.seq - 1 : session.at;

  // The outside system is the browser's top layer.
  useEffect(() => {
    dialog.current?.showModal();
    document.getElementById(FIRST_ID)?.focus();
  }, []);

  const submit = () => {
    setTried(true);
    if (!read.ok || fork.isPending || fork.isSuccess) return;
    fork.mutate(read.body, {
      onSuccess: ({ id }) => {
        const isSaid = draft.what === "message";
        if (isSaid) writeDraft(id, draft.message);
        router.push(`/conversations/${encodeURIComponent(id)}${isSaid ? `#${BOX_ID}` : ""}`);
      },
    });
  };
  return (
    <dialog
      ref={dialog}
      aria-labelledby="fork-heading"
      onClose={() => {
        fork.giveUp();
        onClose();
      }}
      className="dialog w-150 max-w-[94vw] text-12 text-fg"
    >
      <form
        className="flex max-h-[86vh] flex-col"
        onSubmit={(event) => {
          event.preventDefault();
          submit();
        }}
      >
        <div className="flex-none px-4 pt-3.5 pb-2.5">
          <h2 id="fork-heading" className="flex items-center gap-2 text-14 font-semibold">
            <Icon name="fork" className="text-fg-3" />
            <span className="tabular-nums">{t("heading", { step: at })}</span>
          </h2>
          <p className="mt-1 text-pretty text-fg-2">{t("what")}</p>
        </div>
        <div className="flex min-h-0 flex-1 flex-col gap-4 overflow-y-auto border-line border-y px-4 py-3">
          <label className="block">
            <span className="mb-0.5 block text-11 text-fg-3">{t("title")}</span>
            <input
              id={FIRST_ID}
              value={draft.title}
              maxLength={500}
              autoComplete="off"
              onChange={({ target }) => change({ title: target.value })}
              className={FIELD}
            />
          </label>
          {said && (
            <Segmented
              label={t("change")}
              value={draft.what}
              options={[
                { value: "step", label: t("changeStep") },
                { value: "message", label: t("changeMessage") },
              ]}
              onChange={(what) => change({ what })}
              className="self-start"
            />
          )}
          {draft.what === "message" && said ? (
            <label className="block">
              <span className="mb-0.5 block text-11 text-fg-3">{t("message", { step: said.seq })}</span>
              <textarea
                value={draft.message}
                rows={4}
                onChange={({ target }) => change({ message: target.value })}
                className={`${FIELD} h-auto! resize-y py-1.5 text-13 leading-[var(--lh-body)]`}
              />
              <span className="mt-1 block text-pretty text-fg-3">{t("messageNote")}</span>
            </label>
          ) : (
            <>
              <ValueFields
                session={session}
                values={draft.values}
                flawed={flawed}
                onChange={(values) => change({ values })}
              />
              <PlanField text={draft.plan} flaw={flawed.get("plan")} onChange={(plan) => change({ plan })} />
            </>
          )}
        </div>
        <div className="flex-none px-4 pt-2.5 pb-4">
          {draft.what === "step" && (
            <ForkWarnings
              conversationId={conversationId}
              at={at}
              isPlanKept={draft.plan !== "" && draft.plan === planText(session)}
            />
          )}
          <Closings session={session} isWhole={at === session.at} />
          <Refusal error={fork.error} />
          <div className="mt-2.5 flex flex-wrap items-center gap-1.5">
            <Button
              type="submit"
              variant="primary"
              disabled={fork.isPending || fork.isSuccess}
              className="h-8! phone:h-11! px-3!"
            >
              <Icon name="fork" size={14} />
              {t(fork.isPending || fork.isSuccess ? "making" : "make")}
            </Button>
            <Button
              variant="ghost"
              onClick={() => (fork.isPending ? fork.giveUp() : dialog.current?.close())}
              className="h-8! phone:h-11!"
            >
              {t(fork.isPending ? "cancel" : "back")}
            </Button>
            {fork.isPending && (
              <span role="status" className="flex min-w-0 flex-1 items-center justify-end gap-2 text-fg-2">
                <span className="truncate tabular-nums">{t("bringing", { steps: at })}</span>
                <progress aria-label={t("making")} className="progress w-20 flex-none" />
              </span>
            )}
          </div>
        </div>
      </form>
    </dialog>
  );
}

/** What is closed in the fork. */
function Closings({ session, isWhole }: { session: Session; isWhole: boolean }) {
  const t = useTranslations("fork");
  const { runs, confirmations } = openAt(session);
  const isOpen = isWhole && runs + confirmations > 0;
  return (
    <p className="flex items-start gap-1.5 text-pretty text-fg-2">
      <Icon name={isOpen ? "cancelled" : "check"} size={14} className="mt-0.25 text-fg-3" />
      <span>
        {isOpen ? t("closes", { runs, confirmations }) : t("closesNothing")} {t("quiet")}
      </span>
    </p>
  );
}

/** Creates a fork (E9). Nothing runs in it. Cancelling during creation leaves nothing behind. */
function useMakeFork(conversationId: string) {
  const queries = useQueryClient();
  const controller = useRef<AbortController>(null);
  const making = useMutation({
    mutationFn: (body: ForkBody) => {
      controller.current = new AbortController();
      const { signal } = controller.current;
      const path = `/api/conversations/${encodeURIComponent(conversationId)}/fork`;
      return callApi<Conversation>(path, { method: "POST", body, signal });
    },
    onSuccess: () => refetchAfterChange(queries, forksKey(conversationId)),
  });
  const giveUp = () => {
    controller.current?.abort();
    making.reset();
  };
  return { ...making, giveUp };
}
