import { useTranslations } from "next-intl";
import type { ReactNode } from "react";
import { Link } from "@/components/ui/link.tsx";
import { ADMIN_PAGES } from "./admin-pages.ts";

interface AdminFrameProps {
  current: (typeof ADMIN_PAGES)[number]["name"];
  title: string;
  /** An introduction of one or two sentences. */
  intro?: ReactNode;
  /** Page actions, right of the title. */
  actions?: ReactNode;
  children: ReactNode;
}

/** What the administration pages share, under the header: tabs and title. */
export function AdminFrame({ current, title, intro, actions, children }: AdminFrameProps) {
  const t = useTranslations("admin.tabs");
  return (
    <>
      <nav
        aria-label={t("label")}
        className="flex min-w-0 flex-none fade-x overflow-x-auto border-line-strong border-b"
      >
        <div className="page-measure flex items-center gap-5">
          {ADMIN_PAGES.map(({ name, href }) => (
            <Link
              key={name}
              href={href}
              aria-current={name === current ? "page" : undefined}
              className="inline-flex h-9 phone:h-11 flex-none items-center border-transparent border-b-2 whitespace-nowrap text-fg-2 hover:text-fg focus-visible:shadow-[inset_0_0_0_2px_var(--accent)] aria-[current=page]:border-fg aria-[current=page]:font-medium aria-[current=page]:text-fg"
            >
              {t(name)}
            </Link>
          ))}
        </div>
      </nav>
      <main id="main" tabIndex={-1} className="min-h-0 flex-1 overflow-y-auto outline-none">
        <div className="page-measure pt-6 pb-16 text-13 leading-[var(--lh-body)]">
          <div className="mb-5 flex flex-wrap items-start gap-x-6 gap-y-3">
            <div className="min-w-60 flex-1">
              <h1 className="font-semibold text-16 leading-6">{title}</h1>
              {intro !== undefined && (
                <div className="mt-1 max-w-160 text-13 text-fg-2 leading-5 text-pretty">{intro}</div>
              )}
            </div>
            {actions !== undefined && <div className="flex flex-none flex-wrap items-center gap-2">{actions}</div>}
          </div>
          {children}
        </div>
      </main>
    </>
  );
}
