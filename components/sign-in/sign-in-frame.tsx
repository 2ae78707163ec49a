import type { ReactNode } from "react";
import { LanguageSwitch } from "@/components/shell/language-switch.tsx";
import { Mark } from "@/components/shell/mark.tsx";
import { ThemeSwitch } from "@/components/shell/theme-switch.tsx";

/** The page layout before sign-in: the logo and a card. */
export function SignInFrame({ title, children }: { title: string; children: ReactNode }) {
  return (
    <div className="grid min-h-dvh grid-cols-[minmax(0,1fr)] grid-rows-[auto_minmax(0,1fr)] bg-canvas">
      <header className="flex h-[var(--h-header)] items-center justify-end gap-1.5 px-3">
        <LanguageSwitch />
        <ThemeSwitch />
      </header>
      <main
        id="main"
        tabIndex={-1}
        className="mx-auto flex w-full max-w-90 flex-col px-4 pt-[max(24px,12vh)] pb-16 outline-none"
      >
        <div className="mb-5 flex items-center justify-center gap-2">
          <Mark />
          <span className="font-semibold text-16 tracking-[-0.01em]">Obelus</span>
        </div>
        <div className="rounded-3 border border-line-strong bg-surface p-6 max-md:p-4">
          <h1 className="mb-4 font-semibold text-16 leading-6">{title}</h1>
          {children}
        </div>
      </main>
    </div>
  );
}
