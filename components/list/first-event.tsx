"use client";

import { useTranslations } from "next-intl";
import { useState } from "react";
import { useCaller } from "@/components/access/caller-provider.tsx";
import { Button } from "@/components/ui/button.tsx";
import { EmptyState } from "@/components/ui/empty-state.tsx";
import { Icon } from "@/components/ui/icon.tsx";
import { Link } from "@/components/ui/link.tsx";

/** A command that sends a first event to this server. */
function commandFor(origin: string, greeting: string, keyed: boolean): string {
  const event = {
    conversation_id: "hello",
    type: "message.created",
    actor: "user:me",
    payload: { message_id: "hello-1", role: "user", content: greeting },
  };
  const key = keyed ? `  -H "Authorization: Bearer $OBELUS_KEY" \\\n` : "";
  return `curl ${origin}/api/events \\\n  -H 'content-type: application/json' \\\n${key}  -d '${JSON.stringify(event, null, 2)}'`;
}

/** The empty state of a new server: how to send the first event. */
export function FirstEvent({ origin }: { origin: string }) {
  const t = useTranslations("list.first");
  const common = useTranslations("common");
  const [copied, setCopied] = useState(false);
  const command = commandFor(origin, t("greeting"), useCaller().kind !== "everybody");
  const copy = async () => {
    await navigator.clipboard.writeText(command);
    setCopied(true);
  };
  return (
    <EmptyState icon="api" title={t("title")} className="py-12">
      <p>{t("text")}</p>
      <div className="relative mt-3 rounded-2 bg-sunken">
        <pre className="px-3 py-2 pr-28 font-mono text-11 leading-4.5 break-words whitespace-pre-wrap text-fg-2">
          {command}
        </pre>
        <Button className="absolute top-1.5 right-1.5" onClick={copy}>
          <Icon name={copied ? "check" : "copy"} size={14} />
          {copied ? common("copied") : common("copy")}
        </Button>
        <span role="status" className="sr-only">
          {copied && common("copied")}
        </span>
      </div>
      <p className="mt-3">
        <Link href="/connect" className="font-medium text-accent underline underline-offset-2">
          {t("more")}
        </Link>
      </p>
      <p className="mt-3">
        {t.rich("import", { code: (words) => <code className="font-mono text-11 text-fg">{words}</code> })}
      </p>
    </EmptyState>
  );
}
