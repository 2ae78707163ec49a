"use client";

import { useTranslations } from "next-intl";
import { actorName } from "@/components/agents/actor-name.ts";

/** Those of the fields that deeds tell which have a word; others are shown by their names in the API. */
const FIELDS = [
  "role",
  "scopes",
  "with",
  "version",
  "events",
  "conversations",
  "mode",
  "calls",
  "kind",
  "receipt",
  "status",
  "expires_at",
  "deleted",
] as const;

/** Who acted and what changed, in the reader's words. */
export function useEntryWords() {
  const t = useTranslations("audit");
  return {
    whoIs(actor: string): string {
      if (actor === "nobody" || actor === "system") return t(`who.${actor}`);
      return actor === "operator:command-line" ? t("who.command_line") : actorName(actor);
    },
    fieldName(name: string): string {
      const known = FIELDS.find((field) => field === name);
      return known ? t(`fields.${known}`) : name;
    },
  };
}
