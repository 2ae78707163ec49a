import { useFormatter } from "next-intl";

interface MomentProps {
  /** ISO 8601. */
  at: string;
  className?: string;
}

const SHORT = { day: "numeric", month: "short", hour: "2-digit", minute: "2-digit", hour12: false } as const;

/**
 * A date and time in the reader's time zone, with the year if it is not the current one; the full date is in a tooltip.
 */
export function Moment({ at, className = "" }: MomentProps) {
  const format = useFormatter();
  const date = new Date(at);
  const other = date.getFullYear() !== new Date().getFullYear();
  return (
    <time
      dateTime={at}
      title={format.dateTime(date, { dateStyle: "full", timeStyle: "long", hour12: false })}
      className={`whitespace-nowrap tabular-nums ${className}`}
    >
      {format.dateTime(date, other ? { ...SHORT, year: "numeric" } : SHORT)}
    </time>
  );
}
