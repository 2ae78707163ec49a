"use client";

import { useTranslations } from "next-intl";
import { useState } from "react";
import { CopyField } from "@/components/access/copy-field.tsx";
import { FIELD, Labelled } from "@/components/decision/form.tsx";
import { Refusal } from "@/components/decision/refusal.tsx";
import { Icon } from "@/components/ui/icon.tsx";
import { SCOPES } from "@/lib/access/caller.ts";
import { nameFault } from "@/lib/access/rules.ts";
import { FormDialog } from "../form-dialog.tsx";
import { useMakeKey } from "./use-keys.ts";

/** Days until a key expires; 0 for never. */
const DAYS = [0, 30, 90, 365] as const;
const DAY_MS = 86_400_000;

/** Creates a key and shows it once. */
export function MakeKey({ onClose }: { onClose: () => void }) {
  const t = useTranslations("admin.keys");
  const make = useMakeKey();
  const [faults, setFaults] = useState({ name: false, scopes: false });
  if (make.data)
    return (
      <FormDialog
        key="made"
        title={t("made.title", { name: make.data.name })}
        leave={t("made.done")}
        isSticky
        isWide
        onClose={onClose}
      >
        <p role="status" className="flex items-start gap-1.5 text-13 leading-[var(--lh-body)] text-pretty">
          <Icon name="warn" className="mt-0.5 text-st-waiting" />
          {t("made.warning")}
        </p>
        <CopyField text={make.data.key} name={t("made.key")} />
        <p className="text-11 text-pretty text-fg-3">
          {t.rich("made.how", { code: (words) => <code className="font-mono text-fg-2">{words}</code> })}
        </p>
      </FormDialog>
    );

  const submit = (data: FormData) => {
    const name = String(data.get("name")).trim();
    const scopes = SCOPES.filter((scope) => data.getAll("scopes").includes(scope));
    const days = Number(data.get("days"));
    const found = { name: nameFault(name) !== null, scopes: scopes.length === 0 };
    setFaults(found);
    if (found.name || found.scopes) return;
    const expires_at = days === 0 ? null : new Date(Date.now() + days * DAY_MS).toISOString();
    make.mutate({ name, scopes, expires_at });
  };
  return (
    <FormDialog
      title={t("make")}
      submit={t("makeIt")}
      leave={t("cancel")}
      busy={make.isPending}
      onSubmit={submit}
      onClose={onClose}
    >
      <Labelled label={t("columns.name")} fault={faults.name ? t("nameRule") : undefined}>
        <input
          name="name"
          autoComplete="off"
          spellCheck={false}
          maxLength={64}
          placeholder={t("example")}
          aria-invalid={faults.name || undefined}
          className={FIELD}
        />
      </Labelled>
      <fieldset>
        <legend className="pb-1 text-11 text-fg-3">{t("columns.scopes")}</legend>
        {SCOPES.map((scope) => (
          <label
            key={scope}
            className="flex cursor-pointer items-start gap-2 rounded-2 px-1.5 py-1 hover:bg-hover has-checked:bg-active"
          >
            <input
              type="checkbox"
              name="scopes"
              value={scope}
              defaultChecked={scope === "ingest"}
              className="mt-0.5 accent-accent"
            />
            <span>
              <code className="block font-medium font-mono">{scope}</code>
              <span className="block text-11 text-pretty text-fg-3">{t(`scopes.${scope}`)}</span>
            </span>
          </label>
        ))}
        {faults.scopes && (
          <p role="alert" className="mt-0.5 text-11 text-st-failed">
            {t("noScope")}
          </p>
        )}
      </fieldset>
      <Labelled label={t("columns.expires")}>
        <select name="days" defaultValue={0} className={`${FIELD} h-7`}>
          {DAYS.map((days) => (
            <option key={days} value={days}>
              {days === 0 ? t("never") : t("inDays", { count: days })}
            </option>
          ))}
        </select>
      </Labelled>
      <Refusal error={make.error} />
    </FormDialog>
  );
}
