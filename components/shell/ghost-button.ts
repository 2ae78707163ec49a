/** Styles of the header's menu buttons. */
export const GHOST_BUTTON =
  "inline-flex h-[var(--control)] min-w-[var(--control)] items-center justify-center rounded-2 font-medium text-fg-2 hover:bg-hover hover:text-fg aria-expanded:bg-active aria-expanded:text-fg";
