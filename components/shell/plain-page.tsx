import type { ReactNode } from "react";
import { Mark } from "./mark.tsx";

interface PlainPageProps {
  /** The label of the link to the list. */
  home: string;
  title: string;
  children: ReactNode;
  action: ReactNode;
}

/** A page with only a message. Every page bundles it, so it imports no header, icons or client navigation. */
export function PlainPage({ home, title, children, action }: PlainPageProps) {
  return (
    <div className="grid h-page grid-cols-[minmax(0,1fr)] grid-rows-[auto_minmax(0,1fr)]">
      <header className="flex h-[var(--h-header)] items-center border-line-strong border-b px-3">
        <a href="/" aria-label={home} className="touch flex items-center gap-2 rounded-2">
          <Mark />
          <span className="text-13 font-semibold tracking-[-0.01em]">Obelus</span>
        </a>
      </header>
      <main
        id="main"
        tabIndex={-1}
        className="mx-auto flex w-full max-w-160 flex-col items-start gap-2 px-6 py-16 outline-none"
      >
        <h1 className="text-16 leading-6 font-semibold">{title}</h1>
        <div className="text-13 leading-[var(--lh-body)] text-pretty text-fg-2">{children}</div>
        <div className="mt-2">{action}</div>
      </main>
    </div>
  );
}
