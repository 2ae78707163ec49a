"use client";

import { useTranslations } from "next-intl";
import { AccountMenu } from "@/components/access/account-menu.tsx";
import { CompareLink } from "@/components/compare/compare-link.tsx";
import { FailureButton } from "@/components/failure/failure-button.tsx";
import { FindButton } from "@/components/find/find-button.tsx";
import { ForkButton } from "@/components/fork/fork-button.tsx";
import { ForksMenu } from "@/components/fork/forks-menu.tsx";
import { KeyboardHelp } from "@/components/keys/keyboard-help.tsx";
import { PhoneHeader } from "@/components/phone/phone-header.tsx";
import { Brand } from "@/components/shell/brand.tsx";
import { LanguageSwitch } from "@/components/shell/language-switch.tsx";
import { ThemeSwitch } from "@/components/shell/theme-switch.tsx";
import { Chip } from "@/components/ui/chip.tsx";
import { isQuiet } from "@/components/ui/status.ts";
import { StatusIcon } from "@/components/ui/status-icon.tsx";
import { usePhone } from "@/components/ui/use-phone.ts";
import type { ShownConversationStatus } from "@/lib/session/session.ts";
import { shownStatusOf } from "@/lib/session/summary/summary.ts";
import { useStudio } from "../use-studio.ts";
import { InstanceSwitch } from "./instance-switch.tsx";
import { ListLink } from "./list-link.tsx";
import { RunActions } from "./run-actions.tsx";
import { RunMenu } from "./run-menu.tsx";
import { conversationName } from "./run-name.ts";
import { ShareButton } from "./share-button.tsx";
import { StudioMenu } from "./studio-menu.tsx";

/** The conversation's name, its status, and the run, iteration and instance. */
export function StudioHeader({ id, name }: { id: string; name: string | null }) {
  const t = useTranslations("studio");
  const title = useStudio(({ session }) => conversationName(session, name)) ?? id;
  const status = useStudio(({ now }) => shownStatusOf(now));
  const isOnPhone = usePhone();
  if (isOnPhone) return <PhoneHeader title={title} status={status} />;
  return (
    <header className="flex h-[var(--h-header)] flex-none items-center gap-2 border-line-strong border-b bg-surface px-3">
      <Brand named={false} />
      <nav aria-label={t("crumbs")} className="ml-1 flex min-w-15 items-center gap-1.5 whitespace-nowrap">
        <ListLink />
        <span aria-hidden className="text-fg-3 narrow:hidden">
          /
        </span>
        <h1
          className="min-w-0 truncate text-13 font-semibold tracking-[-0.005em]"
          title={title === name ? name : `${title} · ${id}`}
        >
          {title}
        </h1>
      </nav>
      <StatusMark status={status} />
      <FailureButton />
      <span className="flex-1" />
      <RunMenu />
      <InstanceSwitch />
      <RunActions />
      <ForksMenu />
      <span aria-hidden className="mx-0.5 h-4.5 w-px flex-none bg-line-strong" />
      <ForkButton name={title === id ? null : title} />
      <CompareLink id={id} />
      <ShareButton />
      <FindButton />
      <StudioMenu />
      <span aria-hidden className="mx-0.5 h-4.5 w-px flex-none bg-line-strong" />
      <LanguageSwitch />
      <ThemeSwitch />
      <AccountMenu named={false} />
      <KeyboardHelp page="studio" bare className="flex-none text-fg-3 narrow:hidden" />
    </header>
  );
}

/** The current status, whatever step is shown; in color if it needs attention. */
function StatusMark({ status }: { status: ShownConversationStatus }) {
  const words = useTranslations("events.conversation_status");
  if (!isQuiet(status)) return <Chip status={status}>{words(status)}</Chip>;
  return (
    <span className="inline-flex flex-none items-center gap-1 text-fg-3">
      <StatusIcon status={status} size={14} />
      {words(status)}
    </span>
  );
}
