"use client";

import { useTranslations } from "next-intl";
import { useSyncExternalStore } from "react";
import { readPlace } from "@/components/list/list-place.ts";
import { Link } from "@/components/ui/link.tsx";

/** The list's address does not change while a conversation is open. */
const neverChanges = () => () => undefined;

/** The address of the list from which this conversation was opened. */
export function listAddress(): string {
  return `/${readPlace()?.query ?? ""}`;
}

/** The address of the last list; before hydration, of the unfiltered one. */
export function useListAddress(): string {
  return useSyncExternalStore(neverChanges, listAddress, () => "/");
}

/** A link back to the list with its filters. */
export function ListLink() {
  const t = useTranslations("studio");
  const href = useListAddress();
  return (
    <Link href={href} className="rounded-1 text-fg-3 hover:text-fg narrow:hidden">
      {t("conversations")}
    </Link>
  );
}
