/** The logo: an obelus on a tile. It does not import the icon set. */
export function Mark() {
  return (
    <span className="flex size-6 flex-none items-center justify-center rounded-2 bg-fg text-surface">
      <svg
        viewBox="0 0 16 16"
        width={14}
        height={14}
        fill="none"
        stroke="currentColor"
        strokeWidth={2}
        strokeLinecap="round"
        aria-hidden
      >
        <path d="M8 1.5v13M3.8 5.4h8.4" />
      </svg>
    </span>
  );
}
