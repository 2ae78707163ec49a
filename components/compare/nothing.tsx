/** An empty state with a reason. */
export function Nothing({ words }: { words: string }) {
  return <p className="p-6 text-center text-13 text-pretty text-fg-3">{words}</p>;
}
