"use client";

import { useMutation } from "@tanstack/react-query";
import { useTranslations } from "next-intl";
import { useEffect, useRef, useState } from "react";
import { ApiProblem, sendApi } from "@/components/client/api.ts";
import { FIELD, Labelled } from "@/components/decision/form.tsx";
import { Refusal } from "@/components/decision/refusal.tsx";
import { Button } from "@/components/ui/button.tsx";
import { PASSWORD_LENGTH, passwordFault } from "@/lib/access/rules.ts";
import { useCaller } from "./caller-provider.tsx";

/** Changes the caller's password, which signs out their other browsers. */
export function PasswordDialog({ onClose }: { onClose: () => void }) {
  const t = useTranslations("access.password");
  const caller = useCaller();
  const dialog = useRef<HTMLDialogElement>(null);
  const [fault, setFault] = useState<"short" | "differs" | null>(null);
  const change = useMutation({
    mutationFn: (body: { current: string; password: string }) => sendApi("/api/me/password", { method: "PUT", body }),
  });

  // The outside system is the browser's top layer.
  useEffect(() => dialog.current?.showModal(), []);

  const isWrong = change.error instanceof ApiProblem && change.error.errors.some(({ path }) => path === "/current");
  const submit = (data: FormData) => {
    const password = String(data.get("password"));
    const found = passwordFault(password) !== null ? "short" : password === data.get("again") ? null : "differs";
    setFault(found);
    if (found === null && !change.isPending) change.mutate({ current: String(data.get("current")), password });
  };
  return (
    <dialog
      ref={dialog}
      closedby="closerequest"
      aria-labelledby="password-heading"
      onClose={onClose}
      className="dialog w-90 max-w-[94vw] p-4! text-12 text-fg"
    >
      <h2 id="password-heading" className="mb-3 font-semibold text-14">
        {t("title")}
      </h2>
      {change.isSuccess ? (
        <>
          <p role="status" className="mb-3 text-pretty text-13 leading-[var(--lh-body)]">
            {t("done")}
          </p>
          <Button autoFocus onClick={() => dialog.current?.close()}>
            {t("close")}
          </Button>
        </>
      ) : (
        <form
          noValidate
          className="flex flex-col gap-3"
          onSubmit={(event) => {
            event.preventDefault();
            submit(new FormData(event.currentTarget));
          }}
        >
          {/* Password managers store the new password for this name. */}
          <input
            type="text"
            name="username"
            autoComplete="username"
            readOnly
            hidden
            value={caller.kind === "person" ? caller.name : ""}
          />
          <Labelled label={t("current")} fault={isWrong ? t("wrong") : undefined}>
            <input type="password" name="current" autoComplete="current-password" autoFocus className={FIELD} />
          </Labelled>
          <Labelled label={t("new")} fault={fault === "short" ? t("short", { count: PASSWORD_LENGTH.min }) : undefined}>
            <input
              type="password"
              name="password"
              autoComplete="new-password"
              maxLength={PASSWORD_LENGTH.max}
              aria-invalid={fault === "short" || undefined}
              className={FIELD}
            />
          </Labelled>
          <Labelled label={t("again")} fault={fault === "differs" ? t("differs") : undefined}>
            <input
              type="password"
              name="again"
              autoComplete="new-password"
              maxLength={PASSWORD_LENGTH.max}
              aria-invalid={fault === "differs" || undefined}
              className={FIELD}
            />
          </Labelled>
          <p className="text-pretty text-11 text-fg-3">{t("rule", { count: PASSWORD_LENGTH.min })}</p>
          <Refusal error={isWrong ? null : change.error} />
          <div className="flex flex-wrap items-center gap-1.5">
            <Button type="submit" variant="primary" disabled={change.isPending}>
              {t(change.isPending ? "saving" : "save")}
            </Button>
            <Button variant="ghost" onClick={() => dialog.current?.close()}>
              {t("cancel")}
            </Button>
          </div>
        </form>
      )}
    </dialog>
  );
}
