"use client";

import { useTranslations } from "next-intl";
import { useId, useRef } from "react";
import { RequirePermission } from "@/components/access/require-permission.tsx";
import { FIELD } from "@/components/decision/form.tsx";
import { Button } from "@/components/ui/button.tsx";
import { Icon } from "@/components/ui/icon.tsx";
import { useAgentSelection } from "../use-agent-selection.ts";
import { useAgents } from "../use-agents.ts";

/** Opens a key by its name, to create it if it does not exist. */
export function NewKey() {
  const t = useTranslations("agents.create");
  const [{ agent }, select] = useAgentSelection();
  const agents = useAgents();
  const id = useId();
  const popover = useRef<HTMLDivElement>(null);
  const form = useRef<HTMLFormElement>(null);
  const submit = (data: FormData) => {
    const [wanted, key] = ["agent", "key"].map((name) => String(data.get(name) ?? "").trim());
    if (!wanted || !key) return;
    popover.current?.hidePopover();
    form.current?.reset();
    select({ agent: wanted, key, tab: "edit" });
  };
  return (
    <>
      <RequirePermission permission="ingest">
        <Button variant="ghost" square popoverTarget={id} aria-label={t("title")} title={t("title")}>
          <Icon name="plus" />
        </Button>
      </RequirePermission>
      <div
        ref={popover}
        id={id}
        popover="auto"
        role="dialog"
        aria-label={t("title")}
        onToggle={({ newState }) => newState === "open" && form.current?.querySelector("input")?.focus()}
        className="menu w-75 p-3!"
      >
        <form
          ref={form}
          className="flex flex-col gap-2"
          onSubmit={(event) => {
            event.preventDefault();
            submit(new FormData(event.currentTarget));
          }}
        >
          <label className="block">
            <span className="mb-0.5 block text-11 text-fg-3">{t("agent")}</span>
            <input
              name="agent"
              required
              maxLength={200}
              autoComplete="off"
              spellCheck={false}
              list={`${id}agents`}
              defaultValue={agent ?? ""}
              key={agent}
              className={FIELD}
            />
            <datalist id={`${id}agents`}>
              {agents.data?.map((one) => (
                <option key={one.id} value={one.id} />
              ))}
            </datalist>
          </label>
          <label className="block">
            <span className="mb-0.5 block text-11 text-fg-3">{t("key")}</span>
            <input name="key" required maxLength={200} autoComplete="off" spellCheck={false} className={FIELD} />
          </label>
          <p className="text-11 text-pretty text-fg-3">{t("hint")}</p>
          <div>
            <Button type="submit" variant="primary">
              {t("go")}
            </Button>
          </div>
        </form>
      </div>
    </>
  );
}
