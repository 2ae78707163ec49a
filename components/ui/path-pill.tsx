interface PathPillProps {
  /** A state path: `†state.deal.amount`. */
  path: string;
  /** It is selected. */
  lit?: boolean;
  className?: string;
}

const KIND = /^†[A-Za-z_]+/;

/** A path in monospace with its kind muted. */
export function PathPill({ path, lit = false, className = "" }: PathPillProps) {
  const kind = KIND.exec(path)?.[0] ?? "";
  const ground = lit ? "border-accent bg-accent-soft text-accent" : "border-line-strong bg-surface text-fg-2";
  return (
    <span
      className={`inline-flex h-4.25 max-w-full items-center rounded-1 border px-1.25 font-mono text-10 leading-none whitespace-nowrap ${ground} ${className}`}
    >
      <span className={lit ? "" : "text-fg-3"}>{kind}</span>
      <span className="truncate leading-4">{path.slice(kind.length)}</span>
    </span>
  );
}
