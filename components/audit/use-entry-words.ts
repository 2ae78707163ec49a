"use client";

import { useTranslations } from "next-intl";
import { actorName } from "@/components/agents/actor-name.ts";

/** Fields with a translated name; others are shown as in the API. */
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

/** Names of actors and changed fields. */
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
