"use client";

import { useFormatter, useTranslations } from "next-intl";
import { useCaller } from "@/components/access/caller-provider.tsx";
import { actorName } from "@/components/agents/actor-name.ts";
import { actorOf } from "@/lib/access/caller.ts";
import type { Confirmation } from "@/lib/session/session.ts";

/** Whether the reader has approved it already, and other people have to approve it as well. */
export function useHasApproved({ approvals }: Pick<Confirmation, "approvals">): boolean {
  const me = actorOf(useCaller());
  return approvals?.given.some(({ by }) => by === me) ?? false;
}

/** Who has approved what several people have to approve: `1 of 2 approved, by anna; needs another person.` */
export function PartlyApproved({ approvals }: Pick<Confirmation, "approvals">) {
  const t = useTranslations("decision");
  const format = useFormatter();
  if (!approvals) return null;
  const { needed, given } = approvals;
  return t("partly", {
    ...{ given: given.length, needed, missing: needed - given.length },
    people: format.list(
      given.map(({ by }) => actorName(by)),
      { type: "conjunction" },
    ),
  });
}
