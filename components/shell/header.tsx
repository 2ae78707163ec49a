import { useTranslations } from "next-intl";
import { AccountMenu } from "@/components/access/account-menu.tsx";
import { PendingBadge } from "@/components/approvals/pending-badge.tsx";
import { PaletteButton } from "@/components/palette/palette-button.tsx";
import { Link } from "@/components/ui/link.tsx";
import { Brand } from "./brand.tsx";
import { ConnectionIndicator } from "./connection-indicator.tsx";
import { LanguageSwitch } from "./language-switch.tsx";
import { ThemeSwitch } from "./theme-switch.tsx";

/** The pages in the header. */
const PAGES = [
  { name: "overview", href: "/overview" },
  { name: "conversations", href: "/" },
  { name: "approvals", href: "/approvals" },
  { name: "agents", href: "/agents" },
  { name: "tools", href: "/tools" },
  { name: "suites", href: "/suites" },
  { name: "rules", href: "/alert-rules" },
  { name: "plans", href: "/plans" },
  { name: "prompts", href: "/prompts" },
  { name: "compare", href: "/compare" },
  { name: "connect", href: "/connect" },
] as const;

/** The header of every page but the studio, which has its own. */
export function Header({ current }: { current?: (typeof PAGES)[number]["name"] }) {
  const t = useTranslations("common.nav");
  return (
    <header className="flex min-h-[var(--h-header)] flex-none items-center gap-2 border-line-strong border-b bg-surface px-3 max-md:flex-wrap max-md:py-2">
      <Brand />
      <nav
        aria-label={t("label")}
        className="ml-3 flex min-w-0 gap-0.5 fade-x overflow-x-auto scroll-ps-[40%]! max-md:order-last max-md:ml-0 max-md:w-full"
      >
        {PAGES.map(({ name, href }) => (
          <Link
            key={name}
            href={href}
            aria-current={name === current ? "page" : undefined}
            className="inline-flex h-[var(--control)] flex-none items-center gap-1.75 rounded-2 px-2.25 whitespace-nowrap text-fg-2 hover:bg-hover hover:text-fg aria-[current=page]:bg-active aria-[current=page]:font-medium aria-[current=page]:text-fg aria-[current=page]:[scroll-initial-target:nearest]"
          >
            {t(name)}
            {name === "approvals" && <PendingBadge />}
          </Link>
        ))}
      </nav>
      <HeaderTools />
    </header>
  );
}

/** The right end of every header: connection, language, theme and account. */
export function HeaderTools() {
  return (
    <div className="ml-auto flex flex-none items-center gap-1.5">
      <PaletteButton />
      <ConnectionIndicator />
      <span aria-hidden className="mx-1 h-4.5 w-px bg-line-strong" />
      <LanguageSwitch />
      <ThemeSwitch />
      <AccountMenu />
    </div>
  );
}
