"use client";

import { useTranslations } from "next-intl";
import { useId, useRef, useState } from "react";
import { RequirePermission } from "@/components/access/require-permission.tsx";
import { FIELD, GROWING } from "@/components/decision/form.tsx";
import { Button } from "@/components/ui/button.tsx";
import { Icon } from "@/components/ui/icon.tsx";
import { SAVE_ID } from "../ids.ts";
import type { OpenPlan } from "../use-plan.ts";
import { writtenPaths } from "./delegate-of.ts";
import { SaveOutcome } from "./save-outcome.tsx";
import { useSaveDelegate } from "./use-save-delegate.ts";

/** Saves the plan as a delegate, which other plans can use. */
export function SaveForm({ plan }: { plan: OpenPlan }) {
  const t = useTranslations("playground.save");
  const id = useId();
  const form = useRef<HTMLFormElement>(null);
  const [name, setName] = useState("");
  const [replaces, setReplaces] = useState(false);
  const { request, known, read } = plan;
  const save = useSaveDelegate();
  const taken = known.listed.some((one) => one.name === name.trim());
  const own = request?.tools.length ?? 0;
  const canSave = request !== null && read.calls.length > 0 && name.trim() !== "" && (!taken || replaces);
  const submit = (data: FormData) => {
    if (!request || !canSave) return;
    save.mutate({
      request,
      name: name.trim(),
      description: String(data.get("description") ?? ""),
      strict: data.get("strict") !== null,
      writes: data.getAll("writes").map(String),
      registers: data.get("tools") !== null,
    });
  };
  return (
    <>
      <RequirePermission permission="admin">
        <Button id={SAVE_ID} popoverTarget={id} aria-haspopup="dialog" aria-keyshortcuts="s">
          <Icon name="delegate" size={14} />
          <span className="max-md:sr-only">{t("title")}</span>
        </Button>
      </RequirePermission>
      <div
        id={id}
        popover="auto"
        role="dialog"
        aria-label={t("title")}
        onToggle={({ newState }) => {
          if (newState !== "open") return;
          save.reset();
          form.current?.querySelector("input")?.focus();
        }}
        className="menu menu-end w-90 max-h-[min(680px,86vh)]! max-w-[94vw]! p-3!"
      >
        <form
          ref={form}
          className="flex flex-col gap-2.5"
          onChange={() => save.isSuccess && save.reset()}
          onSubmit={(event) => {
            event.preventDefault();
            submit(new FormData(event.currentTarget));
          }}
        >
          <label className="block">
            <span className="mb-0.5 block text-11 text-fg-3">{t("name")}</span>
            <input
              name="name"
              required
              maxLength={200}
              autoComplete="off"
              spellCheck={false}
              value={name}
              onChange={({ target }) => {
                setName(target.value);
                setReplaces(false);
              }}
              className={FIELD}
            />
          </label>
          {taken && !save.isSuccess && (
            <Check name="replace" checked={replaces} onChange={setReplaces}>
              {t("replace", { name: name.trim() })}
            </Check>
          )}
          <label className="block">
            <span className="mb-0.5 block text-11 text-fg-3">{t("description")}</span>
            <textarea name="description" maxLength={10_000} rows={2} className={GROWING} />
          </label>
          <Check name="strict">{t("strict")}</Check>
          <Writes paths={writtenPaths(read)} />
          {own > 0 && <Check name="tools">{t("tools", { count: own })}</Check>}
          <p className="text-11 text-pretty text-fg-3">{t("hint")}</p>
          <SaveOutcome save={save} />
          <div>
            <Button type="submit" variant="primary" disabled={!canSave || save.isPending}>
              {t(save.isPending ? "saving" : "save")}
            </Button>
          </div>
        </form>
      </div>
    </>
  );
}

/** The paths that a delegate writes back to the caller's state. */
function Writes({ paths }: { paths: readonly string[] }) {
  const t = useTranslations("playground.save");
  if (paths.length === 0) return null;
  return (
    <fieldset>
      <legend className="pb-0.5 text-11 text-pretty text-fg-3">{t("writes")}</legend>
      <div className="flex max-h-30 flex-col overflow-y-auto">
        {paths.map((path) => (
          <label key={path} className="flex min-h-6 items-center gap-2 font-mono text-11">
            <input type="checkbox" name="writes" value={path} className="accent-accent" />
            {path}
          </label>
        ))}
      </div>
    </fieldset>
  );
}

interface CheckProps {
  name: string;
  checked?: boolean;
  onChange?: (checked: boolean) => void;
  children: string;
}

function Check({ name, checked, onChange, children }: CheckProps) {
  return (
    <label className="flex items-start gap-2 text-pretty">
      <input
        type="checkbox"
        name={name}
        checked={checked}
        onChange={onChange && (({ target }) => onChange(target.checked))}
        className="mt-0.5 accent-accent"
      />
      {children}
    </label>
  );
}
