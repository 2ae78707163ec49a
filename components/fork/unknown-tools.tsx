"use client";

import { useQuery } from "@tanstack/react-query";
import { useLocale, useTranslations } from "next-intl";
import { callApi } from "@/components/client/api.ts";
import { Icon } from "@/components/ui/icon.tsx";
import { forkPreviewKey } from "./queries.ts";

interface Preview {
  unknown_tools: { name: string; recorded: number }[];
}

/** Tools of the rest of the plan that this server does not have, told before a fork is made. Nothing where it has all. */
export function UnknownTools({ conversationId, at }: { conversationId: string; at: number }) {
  const t = useTranslations("fork");
  const locale = useLocale();
  const { data } = useQuery({
    queryKey: forkPreviewKey(conversationId, at),
    queryFn: ({ signal }) =>
      callApi<Preview>(`/api/conversations/${encodeURIComponent(conversationId)}/fork`, { query: { at }, signal }),
  });
  const unknown = data?.unknown_tools ?? [];
  if (unknown.length === 0) return null;
  return (
    <p className="mb-1 flex items-start gap-1.5 text-pretty text-fg-2">
      <Icon name="blocked" size={14} className="mt-0.25 text-fg-3" />
      <span>
        {t("unknown", {
          count: unknown.length,
          tools: new Intl.ListFormat(locale).format(unknown.map(({ name }) => name)),
          recorded: unknown.reduce((sum, { recorded }) => sum + recorded, 0),
        })}
      </span>
    </p>
  );
}
