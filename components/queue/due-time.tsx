import { useFormatter, useTranslations } from "next-intl";
import { dueOf } from "./due.ts";

const INK = {
  overdue: "font-medium text-st-failed",
  overdue_date: "font-medium text-st-failed",
  soon: "font-medium text-st-waiting",
  later: "text-fg-2",
  date: "text-fg-2",
} as const;

/** A due time: red with a minus when late, amber within the hour. */
export function DueTime({ at, now }: { at: string; now: number }) {
  const t = useTranslations("queue.due");
  const format = useFormatter();
  const date = new Date(at);
  const due = dueOf(date.getTime(), now);
  const full = format.dateTime(date, { dateStyle: "medium", timeStyle: "short", hour12: false });
  const words = () => {
    switch (due.kind) {
      case "date":
      case "overdue_date":
        return format.dateTime(date, {
          day: "numeric",
          month: "short",
          hour: "2-digit",
          minute: "2-digit",
          hour12: false,
        });
      default: {
        const { hours, minutes } = due;
        const left = hours === 0 ? t("minutes", { minutes }) : t("left", { hours, minutes });
        return due.kind === "overdue" ? `−${left}` : left;
      }
    }
  };
  const isOver = due.kind === "overdue" || due.kind === "overdue_date";
  return (
    <time dateTime={at} title={full} className={`whitespace-nowrap tabular-nums ${INK[due.kind]}`}>
      {isOver && <span className="sr-only">{t("overdue")} </span>}
      {words()}
    </time>
  );
}
