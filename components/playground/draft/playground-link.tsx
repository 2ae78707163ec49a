"use client";

import { useParams } from "next/navigation";
import { useTranslations } from "next-intl";
import { readId } from "@/components/selection/read-id.ts";
import { Icon } from "@/components/ui/icon.tsx";
import { Link } from "@/components/ui/link.tsx";
import { Tooltip } from "@/components/ui/tooltip.tsx";
import type { Plan } from "@/lib/session/session.ts";
import { printPlace } from "./plan-place.ts";

/** A link that opens a session's plan in the playground with its context and tools. */
export function PlaygroundLink({ plan }: { plan: Plan }) {
  const t = useTranslations("playground");
  const { id } = useParams<{ id: string }>();
  if (plan.run_id === "") return null;
  return (
    <Tooltip text={t("openPlan")}>
      <Link
        href={printPlace({ conversation: readId(id), run: plan.run_id, iteration: plan.iteration })}
        aria-label={t("openPlan")}
        className="inline-flex size-[var(--control)] flex-none items-center justify-center rounded-2 text-fg-2 hover:bg-hover hover:text-fg"
      >
        <Icon name="pencil" />
      </Link>
    </Tooltip>
  );
}
