"use client";

import type { ReactNode } from "react";
import { Icon } from "@/components/ui/icon.tsx";
import type { Permission } from "@/lib/access/caller.ts";
import { useWhyNot } from "./use-may.ts";

interface NeedsProps {
  permission: Permission;
  /**
   * What stands there for those who have it not: the controls out of use, with a tip that says why; the reason in words
   * in their place; or nothing.
   */
  otherwise?: "off" | "words" | "nothing";
  className?: string;
  children: ReactNode;
}

/** Controls that the server refuses to those who have not a permission: they are not left to try. */
export function Needs({ permission, otherwise = "off", className = "", children }: NeedsProps) {
  const why = useWhyNot(permission);
  if (why === null) return children;
  switch (otherwise) {
    case "off":
      return (
        // A disabled fieldset puts out of use whatever is in it; the pointer goes to it, for its tip.
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
