/** The cells of a row by width, and on which screens they are shown. */
const CELLS = [
  { width: "w-0" },
  { width: "w-16 narrow:w-4" },
  { width: "w-4" },
  { width: "w-2/5" },
  { width: "w-20", screen: "middling" },
  { width: "w-22", screen: "middling" },
  { width: "w-10", screen: "minor" },
  { width: "w-full", screen: "middling" },
  { width: "ml-auto w-5", screen: "minor" },
  { width: "ml-auto w-5", screen: "middling" },
  { width: "ml-auto w-9" },
];

/** A skeleton while the list loads. */
export function SkeletonRows({ count }: { count: number }) {
  return (
    <tbody aria-hidden className="block animate-pulse-soft">
      {Array.from({ length: count }, (_, row) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: they are all the same
        <tr key={row} className="list-grid list-row pointer-events-none">
          {CELLS.map(({ width, screen = "" }, cell) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: the columns never change
            <td key={cell} className={screen}>
              <span className={`block h-2 rounded-1 bg-active ${width}`} />
            </td>
          ))}
        </tr>
      ))}
    </tbody>
  );
}
