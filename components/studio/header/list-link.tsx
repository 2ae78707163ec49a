"use client";

import Link from "next/link";
import { useTranslations } from "next-intl";
import { useSyncExternalStore } from "react";
import { readPlace } from "@/components/list/list-place.ts";

/** The list does not change while a conversation is open. */
const neverChanges = () => () => undefined;

/** The address of the list as it was left for this conversation. */
export function listAddress(): string {
  return `/${readPlace()?.query ?? ""}`;
}

/** The address of the list as it was left; before the page runs, of the whole list. */
export function useListAddress(): string {
  return useSyncExternalStore(neverChanges, listAddress, () => "/");
}

/** The way back to the list, as it was filtered. */
export function ListLink() {
  const t = useTranslations("studio");
  const href = useListAddress();
  return (
    <Link href={href} className="rounded-1 text-fg-3 hover:text-fg narrow:hidden">
      {t("conversations")}
    </Link>
  );
}
