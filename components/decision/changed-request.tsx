"use client";

import { useTranslations } from "next-intl";
import { askedFor } from "@/components/format/asked-for.ts";
import { Button } from "@/components/ui/button.tsx";
import { Icon } from "@/components/ui/icon.tsx";
import type { SeenRequest } from "./use-reviewed-request.ts";

interface ChangedRequestProps {
  before: SeenRequest;
  now: SeenRequest;
  onSeen: () => void;
}

/** The previous request beside the new one, when an agent has replaced the request on screen. */
export function ChangedRequest({ before, now, onSeen }: ChangedRequestProps) {
  const t = useTranslations("decision.changed");
  return (
    <div role="alert" className="mt-2 rounded-2 border border-st-failed bg-st-failed-bg px-2.5 py-2">
      <p className="flex items-start gap-1.5 font-medium text-pretty text-st-failed">
        <Icon name="warn" size={14} className="mt-0.25 flex-none" />
        {t("title")}
      </p>
      <div className="mt-1.5 grid grid-cols-[repeat(auto-fit,minmax(min(12rem,100%),1fr))] gap-2">
        <Version title={t("before")} request={before} />
        <Version title={t("now")} request={now} />
      </div>
      <Button onClick={onSeen} className="mt-2">
        {t("seen")}
      </Button>
    </div>
  );
}

function Version({ title, request }: { title: string; request: SeenRequest }) {
  const { action } = request;
  return (
    <section aria-label={title} className="min-w-0">
      <h3 className="text-11 text-fg-2">{title}</h3>
      <p className="text-pretty text-fg wrap-anywhere">{askedFor(request)}</p>
      {action && (
        <pre
          tabIndex={0}
          className="mt-0.5 max-h-40 overflow-auto font-mono text-11 whitespace-pre-wrap wrap-anywhere text-fg"
        >
          {action.method} {JSON.stringify(action.params, null, 2)}
        </pre>
      )}
    </section>
  );
}
