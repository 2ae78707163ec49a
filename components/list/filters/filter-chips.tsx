import { useFormatter, useTranslations } from "next-intl";
import { useDuration } from "@/components/format/use-duration.ts";
import { Icon } from "@/components/ui/icon.tsx";
import { MEASURES, type Measure, parseRange } from "@/lib/rollup/totals.ts";
import type { Filters } from "./filters.ts";

interface FilterChipsProps {
  filters: Filters;
  onChange: (part: Partial<Filters>) => void;
}

/** What the list is filtered by beside the menus, as where a number of the overview led to it; each can be removed. */
export function FilterChips({ filters, onChange }: FilterChipsProps) {
  const ranges = useRangeWords();
  const t = useTranslations("list.happened");
  const format = useFormatter();
  const duration = useDuration();
  const { happened, since, until, version, model, tool, over, error, from, to, scored_since, scored_until } = filters;
  const at = (time: string) =>
    format.dateTime(new Date(time), {
      day: "numeric",
      month: "short",
      hour: "2-digit",
      minute: "2-digit",
      hour12: false,
    });
  const span = (from: string, to: string) =>
    from && to ? `${at(from)} – ${at(to)}` : from ? t("since", { time: at(from) }) : to && t("until", { time: at(to) });
  // Days have no time zone.
  const day = (text: string) =>
    format.dateTime(new Date(text), { day: "numeric", month: "short", year: "numeric", timeZone: "UTC" });
  const chips: { name: string; text: string; part: Partial<Filters> }[] = [
    { name: "what", text: happened && t(happened), part: { happened: "" } },
    { name: "tool", text: tool, part: { tool: "", error: "" } },
    { name: "error", text: error && t("error", { error: error.slice(0, 6) }), part: { error: "" } },
    { name: "version", text: version && t("version", { version }), part: { version: "" } },
    { name: "model", text: model, part: { model: "" } },
    { name: "over", text: over && t("over", { duration: duration(Number(over)) }), part: { over: "" } },
    {
      name: "when",
      text: span(since, until),
      part: { since: "", until: "" },
    },
    {
      name: "scored",
      text: (scored_since || scored_until) && t("scored_when", { when: span(scored_since, scored_until) }),
      part: { scored_since: "", scored_until: "" },
    },
    {
      name: "days",
      text:
        from && to
          ? from === to
            ? day(from)
            : `${day(from)} – ${day(to)}`
          : from
            ? t("since", { time: day(from) })
            : to && t("until", { time: day(to) }),
      part: { from: "", to: "" },
    },
    ...MEASURES.map((measure) => ({
      name: measure,
      text: filters[measure] && ranges(measure, filters[measure]),
      part: { [measure]: "" },
    })),
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

/** Says a range: `Cost ≥ 0.5`, `Duration ≤ 5 min`. */
function useRangeWords(): (measure: Measure, text: string) => string {
  const t = useTranslations("list.ranges");
  const columns = useTranslations("list.columns");
  const format = useFormatter();
  const duration = useDuration();
  return (measure, text) => {
    const { least, most } = parseRange(text) ?? {};
    const what = columns(measure);
    const words = (number: number) => (measure === "duration" ? duration(number) : format.number(number));
    if (least === undefined) return t("most", { what, most: words(most ?? 0) });
    if (most === undefined) return t("least", { what, least: words(least) });
    return least === most
      ? t("exactly", { what, number: words(least) })
      : t("between", { what, least: words(least), most: words(most) });
  };
}
