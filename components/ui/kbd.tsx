import type { ReactNode } from "react";

/** A key. */
export function Kbd({ children, className = "" }: { children: ReactNode; className?: string }) {
  return (
    <kbd
      className={`inline-flex h-4.25 min-w-4.25 flex-none items-center justify-center rounded-1 border border-line-strong bg-surface px-1 font-medium font-sans text-10 leading-none text-fg-3 ${className}`}
    >
      {children}
    </kbd>
  );
}
