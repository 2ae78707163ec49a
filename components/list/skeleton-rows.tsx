/** Rows that are on their way: the shape of the list without its words. */
export function SkeletonRows({ count }: { count: number }) {
  const bar = "h-2 rounded-1 bg-active";
  return (
    <div aria-hidden className="animate-pulse-soft">
      {Array.from({ length: count }, (_, row) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: they are all the same
        <div key={row} className="list-grid list-row pointer-events-none">
          <span className={`${bar} w-16 narrow:w-4`} />
          <span className={`${bar} w-4`} />
          <span className="flex flex-col gap-2">
            <span className={`${bar} ${row % 2 ? "w-3/5" : "w-2/5"}`} />
            <span className={`${bar} ${row % 3 ? "w-4/5" : "w-1/2"} bg-hover`} />
          </span>
          <span className={`middling ${bar} w-20`} />
          <span className={`middling ${bar} w-22`} />
          <span className={`minor ${bar} w-10`} />
          <span className={`middling ${bar} w-full bg-hover`} />
          <span className={`minor ${bar} ml-auto w-5`} />
          <span className={`middling ${bar} ml-auto w-5`} />
          <span className={`${bar} ml-auto w-9`} />
        </div>
      ))}
    </div>
  );
}
