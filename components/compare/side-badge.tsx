/** The letter of a side. */
export function SideBadge({ side, className = "" }: { side: "a" | "b"; className?: string }) {
  return (
    <span
      className={`inline-flex h-4.25 w-4.25 flex-none items-center justify-center rounded-1 bg-active font-semibold text-11 text-fg-2 uppercase ${className}`}
    >
      {side}
    </span>
  );
}
