import { ICONS, type IconName } from "./icons.tsx";

export type { IconName } from "./icons.tsx";

interface IconProps {
  name: IconName;
  /** Pixels: 16 in controls and rows, 14 beside small text, 12 for carets. */
  size?: 12 | 14 | 16 | 20 | 24;
  /** The accessible name; decorative without one. */
  label?: string;
  className?: string;
}

/** An icon in the color of the surrounding text. */
export function Icon({ name, size = 16, label, className = "" }: IconProps) {
  return (
    // biome-ignore lint/a11y/noSvgWithoutTitle: it is named by aria-label, or decoration
    <svg
      viewBox="0 0 16 16"
      width={size}
      height={size}
      fill="none"
      stroke="currentColor"
      strokeWidth={1.5}
      strokeLinecap="round"
      strokeLinejoin="round"
      className={`flex-none ${className}`}
      {...(label ? { role: "img", "aria-label": label } : { "aria-hidden": true })}
    >
      {ICONS[name]}
    </svg>
  );
}
