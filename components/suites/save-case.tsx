"use client";

import { useRouter } from "next/navigation";
import { useTranslations } from "next-intl";
import { useState } from "react";
import { FormDialog } from "@/components/admin/form-dialog.tsx";
import { FIELD, Labelled } from "@/components/decision/form.tsx";
import { Refusal } from "@/components/decision/refusal.tsx";
import { Icon } from "@/components/ui/icon.tsx";
import { suiteAddress } from "./addresses.ts";
import { useSaveCase, useSuites } from "./queries.ts";

/** For what replaces the field or button that had the focus. One function, so that React calls it once and focus is not taken again. */
const focus = (element: HTMLElement | null) => element?.focus();

interface SaveCaseProps {
  conversation: string;
  title: string | null;
  /** The case begins with the first message after it; 0 for the whole session. */
  step: number;
  onClose: () => void;
}

/** Saves a session as a case of a suite, which is chosen or made. */
export function SaveCase({ conversation, title, step, onClose }: SaveCaseProps) {
  const t = useTranslations("suites.save");
  const { data: known, isError } = useSuites();
  const router = useRouter();
  const save = useSaveCase();
  const [chosen, setChosen] = useState<string | null>(null);
  const [name, setName] = useState("");
  // The fields would change under the reader's hands.
  if (!known && !isError) return null;
  const suites = known ?? [];
  const suite = chosen ?? suites[0]?.name ?? "";
  const isNew = suite === "";
  const target = isNew ? name.trim() : suite;
  if (save.isSuccess)
    return (
      <FormDialog
        title={t("title")}
        submit={t("open")}
        leave={t("close")}
        onSubmit={() => router.push(suiteAddress(target))}
        onClose={onClose}
      >
        <p ref={focus} tabIndex={-1} className="flex items-center gap-2 focus-visible:shadow-none" role="status">
          <Icon name="succeeded" size={14} className="text-st-succeeded" />
          {t("saved", { suite: target })}
        </p>
      </FormDialog>
    );
  return (
    <FormDialog
      title={t("title")}
      submit={t("it")}
      leave={t("cancel")}
      busy={save.isPending || target === ""}
      onSubmit={(data) => {
        const given = String(data.get("title")).trim();
        save.mutate({
          ...{ suite: target, conversation_id: conversation, step },
          ...(given !== "" && { title: given }),
        });
      }}
      onClose={onClose}
    >
      {suites.length > 0 && (
        <Labelled label={t("suite")}>
          <select className={FIELD} value={suite} onChange={({ target: { value } }) => setChosen(value)}>
            {suites.map((one) => (
              <option key={one.name}>{one.name}</option>
            ))}
            <option value="">{t("new")}</option>
          </select>
        </Labelled>
      )}
      {isNew && (
        <Labelled label={t("name")}>
          <input
            className={FIELD}
            value={name}
            autoComplete="off"
            spellCheck={false}
            maxLength={64}
            onChange={({ target: { value } }) => setName(value)}
          />
        </Labelled>
      )}
      <Labelled label={t("case")}>
        <input name="title" className={FIELD} defaultValue={title ?? ""} maxLength={500} autoComplete="off" />
      </Labelled>
      <p className="text-pretty text-fg-2">
        {step === 0 ? t("whole") : t("from", { step })} {t("redacted")}
      </p>
      <p className="text-11 text-fg-3">{t("same_calls")}</p>
      <Refusal error={save.error} />
    </FormDialog>
  );
}
