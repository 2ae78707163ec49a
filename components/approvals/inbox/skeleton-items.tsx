/** The widths of what stands in an item: what is asked, with which values, by whom. */
const LINES = ["w-3/5", "w-2/5", "w-1/2"];

/** Items that are on their way: the shape of the list without its words. */
export function SkeletonItems() {
  return (
    <div aria-hidden className="animate-pulse-soft overflow-hidden">
      {Array.from({ length: 8 }, (_, item) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: they are all the same
        <div key={item} className="flex h-[71px] flex-col justify-center gap-2.5 border-line border-b pr-3 pl-9">
          {LINES.map((width) => (
            <span key={width} className={`block h-2 rounded-1 bg-active ${width}`} />
          ))}
        </div>
      ))}
    </div>
  );
}
