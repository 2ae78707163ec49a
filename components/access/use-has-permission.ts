"use client";

import { useTranslations } from "next-intl";
import { may, type Permission } from "@/lib/access/caller.ts";
import { useCaller } from "./caller-provider.tsx";

/** Whether the caller has a permission. */
export function useHasPermission(permission: Permission): boolean {
  return may(useCaller(), permission);
}

/** Why the caller may not, as a sentence; null where they may. */
export function usePermissionHint(permission: Permission): string | null {
  const t = useTranslations("access.why");
  const caller = useCaller();
  if (may(caller, permission)) return null;
  switch (caller.kind) {
    case "person":
      return caller.role === "viewer" ? t("viewer") : t("operator");
    case "key":
      return t("key", { name: caller.name });
    case "nobody":
    case "everybody":
      return t("nobody");
    default:
      return caller satisfies never;
  }
}
