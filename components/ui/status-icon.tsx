import { Icon } from "./icon.tsx";
import { STATUS, STATUS_INK, type Status } from "./status.ts";

interface StatusIconProps {
  status: Status;
  size?: 12 | 14 | 16 | 20 | 24;
  /** The status as text, unless it is beside the icon. */
  label?: string;
  className?: string;
}

/** A status by shape and color. */
export function StatusIcon({ status, size = 16, label, className = "" }: StatusIconProps) {
  const { icon, token } = STATUS[status];
  return <Icon name={icon} size={size} label={label} className={`${STATUS_INK[token]} ${className}`} />;
}
