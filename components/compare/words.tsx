import type { Words as Stretch } from "@/lib/session/compare/messages.ts";

/** The look of words that only one side has. */
export const MARK = { a: "bg-del-bg text-del", b: "bg-add-bg text-add" } as const;

/** A text with the words marked that the other side does not have. */
export function Words({ words, mark }: { words: readonly Stretch[]; mark: string }) {
  return (
    <span className="whitespace-pre-wrap">
      {words.map(({ text, changed }, index) =>
        changed ? (
          // biome-ignore lint/suspicious/noArrayIndexKey: the words stand as they are
          <mark key={index} className={`rounded-1 ${mark}`}>
            {text}
          </mark>
        ) : (
          text
        ),
      )}
    </span>
  );
}
