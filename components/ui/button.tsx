import type { ComponentProps } from "react";

interface ButtonProps extends ComponentProps<"button"> {
  variant?: "plain" | "ghost" | "primary" | "danger";
  /** Square, for an icon; requires an `aria-label`. */
  square?: boolean;
  /** A toggle button (`aria-pressed`). */
  pressed?: boolean;
}

const BASE =
  "inline-flex h-[var(--control)] min-w-[var(--control)] flex-none items-center justify-center gap-1.25 rounded-2 border font-medium whitespace-nowrap transition-colors duration-(--t-instant) disabled:cursor-default disabled:text-fg-off";

const VARIANTS = {
  plain: "border-line-strong bg-raised text-fg enabled:hover:bg-hover",
  ghost: "border-transparent text-fg-2 enabled:hover:bg-hover enabled:hover:text-fg",
  primary:
    "border-accent bg-accent text-accent-fg enabled:hover:border-accent-hover enabled:hover:bg-accent-hover disabled:border-line-strong disabled:bg-sunken",
  danger: "border-line-strong bg-raised text-st-failed enabled:hover:bg-st-failed-bg",
} as const;

const PRESSED = "border-transparent bg-accent-soft text-accent";

/** A native button, 26 px high. */
export function Button({
  variant = "plain",
  square = false,
  pressed,
  className = "",
  type = "button",
  ...rest
}: ButtonProps) {
  const look = pressed ? PRESSED : VARIANTS[variant];
  const width = square ? "w-[var(--control)]" : variant === "ghost" ? "px-1.5" : "px-2.25";
  return <button type={type} aria-pressed={pressed} className={`${BASE} ${look} ${width} ${className}`} {...rest} />;
}
