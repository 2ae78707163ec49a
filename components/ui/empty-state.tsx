import type { ReactNode } from "react";
import { Icon, type IconName } from "./icon.tsx";

interface EmptyStateProps {
  icon: IconName;
  title: string;
  /** One sentence: why it is empty, and what to do. */
  children?: ReactNode;
  /** Buttons or links. */
  actions?: ReactNode;
  /** As large as a page title, when it is the whole page. */
  heading?: "h1" | "h2" | "h3";
  className?: string;
}

/** An empty state: title, reason, and actions. */
export function EmptyState({
  icon,
  title,
  children,
  actions,
  heading: Heading = "h2",
  className = "",
}: EmptyStateProps) {
  return (
    <div className={`mx-auto flex w-full max-w-160 flex-col items-start gap-2 p-6 ${className}`}>
      <Icon name={icon} size={24} className="text-fg-3" />
      <Heading className="text-14 font-semibold">{title}</Heading>
      {children && <div className="w-full text-13 leading-[var(--lh-body)] text-pretty text-fg-2">{children}</div>}
      {actions && <div className="mt-1 flex flex-wrap items-center gap-2">{actions}</div>}
    </div>
  );
}
