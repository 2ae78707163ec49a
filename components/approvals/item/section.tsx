import type { ReactNode } from "react";

/** A section of the details with a small heading. */
export function Section({ title, children }: { title: ReactNode; children: ReactNode }) {
  return (
    <section className="mt-4.5">
      <h3 className="mb-1.5 flex items-center gap-1.5 text-11 font-medium text-fg-3">{title}</h3>
      {children}
    </section>
  );
}
