"use client";

import { useTranslations } from "next-intl";
import { Menu, MenuItem, MenuSeparator } from "@/components/ui/menu.tsx";
import type { Queue } from "@/lib/api/shapes.ts";

interface OwnerMenuProps {
  queue: Queue | undefined;
  /** The current one; undefined where several are meant. */
  assignee?: string | null;
  trigger: React.ReactNode;
  label?: string;
  className: string;
  onChoose: (assignee: string | null) => void;
}

/** Who cares for it: the reader first, then the others, then nobody. */
export function OwnerMenu({ queue, assignee, trigger, label, className, onChoose }: OwnerMenuProps) {
  const t = useTranslations("queue");
  const others = (queue?.people ?? []).filter((name) => name !== queue?.me);
  const mayTake = queue?.people.includes(queue.me);
  return (
    <Menu trigger={trigger} label={label} className={className}>
      {queue && mayTake && (
        <MenuItem checked={assignee === queue.me} onSelect={() => onChoose(queue.me)}>
          {t("me", { name: queue.me })}
        </MenuItem>
      )}
      {others.map((name) => (
        <MenuItem key={name} checked={assignee === name} onSelect={() => onChoose(name)}>
          <span className="truncate">{name}</span>
        </MenuItem>
      ))}
      <MenuSeparator />
      <MenuItem checked={assignee === null} onSelect={() => onChoose(null)}>
        {t("nobody")}
      </MenuItem>
    </Menu>
  );
}
