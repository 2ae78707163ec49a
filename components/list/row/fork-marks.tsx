import { useFormatter, useTranslations } from "next-intl";
import { Icon } from "@/components/ui/icon.tsx";
import type { Conversation } from "@/lib/api/shapes.ts";

/** Says that a conversation is a fork, and how many it has itself. */
export function ForkMarks({ forked_from, fork_count }: Pick<Conversation, "forked_from" | "fork_count">) {
  const t = useTranslations("list.forked");
  const format = useFormatter();
  if (!forked_from && fork_count === 0) return null;
  const source = forked_from && t("of", { id: forked_from.conversation_id, step: forked_from.seq });
  const has = fork_count > 0 ? t("has", { count: fork_count }) : null;
  const words = [source, has].filter((text) => text !== null).join("; ");
  return (
    <span
      title={words}
      className="relative z-1 inline-flex flex-none items-center gap-0.5 text-11 text-fg-3 tabular-nums"
    >
      <Icon name="fork" size={14} className={forked_from ? "text-accent" : ""} />
      {fork_count > 0 && <span aria-hidden>{format.number(fork_count)}</span>}
      <span className="sr-only">{words}</span>
    </span>
  );
}
