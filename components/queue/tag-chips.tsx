/** Tags as chips; of many, the first and the number of the others. */
export function TagChips({ tags, most }: { tags: readonly string[]; most: number }) {
  const shown = tags.slice(0, most);
  return (
    <span title={tags.join(", ")} className="flex min-w-0 items-center gap-1">
      {shown.map((tag) => (
        <span key={tag} className="min-w-0 truncate rounded-1 bg-active px-1.5 text-11 leading-[18px] text-fg-2">
          {tag}
        </span>
      ))}
      {tags.length > most && <span className="flex-none text-11 text-fg-3">+{tags.length - most}</span>}
      {tags.length > most && <span className="sr-only">{tags.slice(most).join(", ")}</span>}
    </span>
  );
}
