/** The first letters of a name in a circle; filled for the reader. */
export function Avatar({ name, own = false }: { name: string; own?: boolean }) {
  const letters = name
    .split(/[\s._-]+/u)
    .filter((part) => part !== "")
    .slice(0, 2)
    .map((part) => [...part][0]?.toUpperCase() ?? "")
    .join("");
  return (
    <span
      aria-hidden
      className={`inline-flex size-5.5 flex-none items-center justify-center rounded-full text-11 leading-none font-semibold ${own ? "bg-fg text-surface" : "bg-active text-fg-2"}`}
    >
      {letters}
    </span>
  );
}
