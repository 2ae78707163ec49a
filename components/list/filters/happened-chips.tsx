import { useFormatter, useTranslations } from "next-intl";
import { useDuration } from "@/components/format/use-duration.ts";
import { Icon } from "@/components/ui/icon.tsx";
import type { Filters } from "./filters.ts";

interface HappenedChipsProps {
  filters: Filters;
  onChange: (part: Partial<Filters>) => void;
}

/** What the list is filtered by where a number of the overview led to it; each can be removed. */
export function HappenedChips({ filters, onChange }: HappenedChipsProps) {
  const t = useTranslations("list.happened");
  const format = useFormatter();
  const duration = useDuration();
  const { happened, since, until, version, model, tool, over } = filters;
  const at = (time: string) =>
    format.dateTime(new Date(time), {
      day: "numeric",
      month: "short",
      hour: "2-digit",
      minute: "2-digit",
      hour12: false,
    });
  const chips: { name: string; text: string; part: Partial<Filters> }[] = [
    { name: "what", text: happened && t(happened), part: { happened: "" } },
    { name: "tool", text: tool, part: { tool: "" } },
    { name: "version", text: version && t("version", { version }), part: { version: "" } },
    { name: "model", text: model, part: { model: "" } },
    { name: "over", text: over && t("over", { duration: duration(Number(over)) }), part: { over: "" } },
    {
      name: "when",
      text:
        since && until
          ? `${at(since)} – ${at(until)}`
          : since
            ? t("since", { time: at(since) })
            : until && t("until", { time: at(until) }),
      part: { since: "", until: "" },
    },
  ];
  return chips.map(
    ({ name, text, part }) =>
      text !== "" && (
        <span
          key={name}
          className="inline-flex h-7.5 phone:h-11 flex-none items-center gap-1 rounded-2 border border-accent-line bg-accent-soft pr-0.75 pl-2.25 whitespace-nowrap text-accent"
        >
          <span className="max-w-60 truncate font-medium tabular-nums">{text}</span>
          <button
            type="button"
            aria-label={t("remove", { what: text })}
            onClick={() => onChange(part)}
            className="inline-flex size-6 items-center justify-center rounded-1 hover:bg-hover"
          >
            <Icon name="close" size={12} />
          </button>
        </span>
      ),
  );
}
