"use client";

import { useRouter } from "next/navigation";
import { useTranslations } from "next-intl";
import { useForks } from "@/components/fork/use-forks.ts";
import { nameOf } from "@/components/fork/use-name-of.ts";
import { useStudio } from "@/components/studio/use-studio.ts";
import { Icon } from "@/components/ui/icon.tsx";
import { Link } from "@/components/ui/link.tsx";
import { Menu, MenuItem } from "@/components/ui/menu.tsx";
import { Tooltip } from "@/components/ui/tooltip.tsx";
import type { Conversation } from "@/lib/api/shapes.ts";
import type { Chart } from "./chart.ts";

/** A mark at each step with a fork, with a link; the chart positions the marks (C5). */
export function ForkMarks({ chart }: { chart: Chart }) {
  const t = useTranslations("timeline.forks");
  const { data } = useForks(useStudio((state) => state.conversationId));
  const bySeq = Map.groupBy(data?.items ?? [], (fork) => fork.forked_from?.seq ?? 0);
  const steps = [...bySeq].sort(([a], [b]) => a - b);
  return (
    <ul data-part="forks" aria-label={t("label")} hidden={steps.length === 0} className="timeline-forks">
      {steps.map(([seq, forks]) => (
        <li key={seq} data-seq={seq} onFocus={() => chart.reveal(seq)}>
          <ForkMark seq={seq} forks={forks} />
        </li>
      ))}
    </ul>
  );
}

const addressOf = (fork: Conversation) => `/conversations/${encodeURIComponent(fork.id)}`;

/** One fork is a link, several are a menu. */
function ForkMark({ seq, forks }: { seq: number; forks: readonly Conversation[] }) {
  const t = useTranslations("timeline.forks");
  const router = useRouter();
  const [first] = forks;
  if (!first) return null;
  if (forks.length > 1)
    return (
      <Menu
        label={t("several", { seq, count: forks.length })}
        className="timeline-fork"
        trigger={<Icon name="fork" size={12} />}
      >
        {forks.map((fork) => (
          <MenuItem key={fork.id} onSelect={() => router.push(addressOf(fork))}>
            <span className="max-w-60 truncate">{nameOf(fork)}</span>
          </MenuItem>
        ))}
      </Menu>
    );
  const name = t("one", { seq, name: nameOf(first) });
  return (
    <Tooltip text={name}>
      <Link href={addressOf(first)} aria-label={name} className="timeline-fork">
        <Icon name="fork" size={12} />
      </Link>
    </Tooltip>
  );
}
