"use client";

import { useMutation } from "@tanstack/react-query";
import { useRouter } from "next/navigation";
import { useTranslations } from "next-intl";
import { useId, useRef, useState } from "react";
import { RequirePermission } from "@/components/access/require-permission.tsx";
import { callApi, Unreachable } from "@/components/client/api.ts";
import { ApiErrorAlert } from "@/components/client/api-error-alert.tsx";
import { FIELD } from "@/components/decision/form.tsx";
import { Button } from "@/components/ui/button.tsx";
import { Icon } from "@/components/ui/icon.tsx";
import { RUN_ID } from "../ids.ts";
import type { OpenPlan } from "../use-plan.ts";

/** From the safest to the most powerful. */
const MODES = ["shadow", "canary", "confirm", "execute"] as const;
type Mode = (typeof MODES)[number];

interface Started {
  conversation_id: string;
}

/** Runs the plan in a new conversation and opens it. */
export function RunForm({ plan }: { plan: OpenPlan }) {
  const t = useTranslations("playground.run");
  const router = useRouter();
  const id = useId();
  const [mode, setMode] = useState<Mode>("shadow");
  const popover = useRef<HTMLDivElement>(null);
  const { request, check, read } = plan;
  const isSound = check.check?.ok === true && !check.isStale && read.calls.length > 0;
  const run = useMutation({
    mutationFn: (settings: { mode: Mode; concurrency?: number }) =>
      callApi<Started>("/api/plans/run", { method: "POST", body: { ...request, ...settings } }),
    onSuccess: ({ conversation_id }) => router.push(`/conversations/${encodeURIComponent(conversation_id)}`),
  });
  const submit = (data: FormData) => {
    const concurrency = Number(data.get("concurrency"));
    run.mutate({ mode, ...(concurrency > 0 ? { concurrency } : {}) });
  };
  return (
    <>
      <RequirePermission permission="operate">
        <Button
          id={RUN_ID}
          variant="primary"
          popoverTarget={id}
          aria-haspopup="dialog"
          aria-keyshortcuts="r"
          onClick={() => run.reset()}
        >
          <Icon name="play" size={14} />
          {t("title")}
        </Button>
      </RequirePermission>
      <div
        ref={popover}
        id={id}
        popover="auto"
        role="dialog"
        aria-label={t("dialog")}
        onToggle={({ newState, currentTarget }) =>
          newState === "open" && currentTarget.querySelector<HTMLElement>("input:checked")?.focus()
        }
        className="menu menu-end w-85 max-h-[min(680px,86vh)]! max-w-[94vw]! p-3!"
      >
        <form
          className="flex flex-col gap-3"
          onSubmit={(event) => {
            event.preventDefault();
            submit(new FormData(event.currentTarget));
          }}
        >
          <fieldset className="flex flex-col gap-1">
            <legend className="pb-1 text-11 text-fg-3">{t("mode")}</legend>
            {MODES.map((one) => (
              <label
                key={one}
                className="flex cursor-pointer items-start gap-2 rounded-2 px-1.5 py-1 hover:bg-hover has-checked:bg-active"
              >
                <input
                  type="radio"
                  name="mode"
                  value={one}
                  checked={one === mode}
                  onChange={() => setMode(one)}
                  className="mt-0.5 accent-accent"
                />
                <span>
                  <span className="block font-medium">{t(`modes.${one}.title`)}</span>
                  <span className="block text-11 text-pretty text-fg-3">{t(`modes.${one}.text`)}</span>
                </span>
              </label>
            ))}
          </fieldset>
          <label className="block">
            <span className="mb-0.5 block text-11 text-fg-3">{t("concurrency")}</span>
            <input
              name="concurrency"
              type="number"
              min={1}
              max={1_000}
              placeholder={t("default")}
              className={`${FIELD} w-30!`}
            />
          </label>
          <p className="text-11 text-pretty text-fg-3">{t("risky")}</p>
          {!isSound && <p className="text-pretty text-st-failed">{t(read.calls.length === 0 ? "empty" : "unsound")}</p>}
          <ApiErrorAlert error={run.error} otherwise={t(run.error instanceof Unreachable ? "unreachable" : "failed")} />
          <div>
            <Button type="submit" variant="primary" disabled={!isSound || run.isPending || run.isSuccess}>
              {t(run.isPending || run.isSuccess ? "starting" : "start")}
            </Button>
          </div>
        </form>
      </div>
    </>
  );
}
