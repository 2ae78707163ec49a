import type { ReactNode } from "react";
import { STATUS, STATUS_GROUND, STATUS_INK, type Status } from "./status.ts";
import { StatusIcon } from "./status-icon.tsx";

interface ChipProps {
  status: Status;
  children: ReactNode;
  className?: string;
}

/** A status with a background. */
export function Chip({ status, children, className = "" }: ChipProps) {
  const { token } = STATUS[status];
  return (
    <span
      className={`inline-flex h-5 flex-none items-center gap-1 rounded-1 pr-1.75 pl-1.25 font-medium whitespace-nowrap ${STATUS_GROUND[token]} ${STATUS_INK[token]} ${className}`}
    >
      <StatusIcon status={status} size={14} />
      {children}
    </span>
  );
}
