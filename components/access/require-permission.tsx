"use client";

import type { ReactNode } from "react";
import { Icon } from "@/components/ui/icon.tsx";
import type { Permission } from "@/lib/access/caller.ts";
import { usePermissionHint } from "./use-has-permission.ts";

interface NeedsProps {
  permission: Permission;
  /** What is shown without the permission: disabled controls with a tooltip, the reason as text, or nothing. */
  otherwise?: "off" | "words" | "nothing";
  className?: string;
  children: ReactNode;
}

/** Controls that require a permission. */
export function RequirePermission({ permission, otherwise = "off", className = "", children }: NeedsProps) {
  const why = usePermissionHint(permission);
  if (why === null) return children;
  switch (otherwise) {
    case "off":
      return (
        // A disabled fieldset disables all controls in it; it receives the pointer for its tooltip.
        <fieldset
          disabled
          aria-label={why}
          title={why}
          className={`inline-flex flex-none cursor-not-allowed items-center *:pointer-events-none ${className}`}
        >
          {children}
        </fieldset>
      );
    case "words":
      return (
        <p className={`flex min-h-6 items-center gap-1.5 text-pretty text-fg-3 ${className}`}>
          <Icon name="lock" size={14} />
          {why}
        </p>
      );
    case "nothing":
      return null;
    default:
      return otherwise satisfies never;
  }
}
