import type { ReactNode } from "react";

/** A section of a tab with a small heading. */
export function Part({ title, aside, children }: { title: string; aside?: ReactNode; children: ReactNode }) {
  return (
    <section className="border-line border-b px-3 py-2 last:border-b-0">
      <header className="flex min-h-5 items-center gap-1.5 pb-1 text-11 text-fg-3">
        <h4>{title}</h4>
        <span className="flex-1" />
        {aside}
      </header>
      {children}
    </section>
  );
}

/** A definition list in two columns. */
export function Facts({ children }: { children: ReactNode }) {
  return <dl className="grid grid-cols-[92px_minmax(0,1fr)] gap-x-2 px-3 py-2">{children}</dl>;
}

/** An entry of it. */
export function Fact({ label, children }: { label: string; children: ReactNode }) {
  return (
    <div className="col-span-2 grid min-h-6 grid-cols-subgrid items-center">
      <dt className="text-fg-3">{label}</dt>
      <dd className="flex min-w-0 flex-wrap items-center gap-x-1.5 gap-y-0.5 wrap-anywhere">{children}</dd>
    </div>
  );
}
