import { LINE_BREAKS } from "./further-lines.ts";
import type { HistoryWords } from "./history-words.ts";
import type { HistoryMessage } from "./prompt.ts";

/** Code points that a tool's name may have in a history. */
const LONGEST_NAME = 32;
const ELLIPSIS = "…";
const GRAPHEMES = new Intl.Segmenter(undefined, { granularity: "grapheme" });

/** Tells who speaks: the role, and of a tool its name (H3), in one line. */
export function speakersIn(words: HistoryWords): (message: HistoryMessage) => string {
  // Ten thousand messages are of a few tools.
  const tools = new Map<string, string>();
  return ({ role, name }) => {
    if (role !== "tool" || name === null) return words.roles[role];
    let tool = tools.get(name);
    if (tool === undefined) {
      const label = boundName(name.replace(LINE_BREAKS, " ").trim());
      tool = label === "" ? words.roles.tool : `${words.roles.tool} (${label})`;
      tools.set(name, tool);
    }
    return tool;
  };
}

function boundName(name: string): string {
  // As many code points as it may have at most, each of two units.
  if (name.length <= LONGEST_NAME || [...name.slice(0, 2 * LONGEST_NAME + 1)].length <= LONGEST_NAME) return name;
  let bound = "";
  let length = ELLIPSIS.length;
  for (const { segment } of GRAPHEMES.segment(name)) {
    length += [...segment].length;
    if (length > LONGEST_NAME) break;
    bound += segment;
  }
  return `${bound}${ELLIPSIS}`;
}
