import {
  type Completion,
  type CompletionContext,
  type CompletionResult,
  pickedCompletion,
  startCompletion,
} from "@codemirror/autocomplete";
import { ensureSyntaxTree, syntaxTree } from "@codemirror/language";
import type { EditorView } from "@codemirror/view";
import type { JsonText } from "@/lib/plan/edit/json-text.ts";
import type { Suggestion, Suggestions } from "./suggestions.ts";

/** The time limit for parsing the text for one list, ms. */
const PATIENCE = 40;

export type Suggest = (json: JsonText, position: number) => Suggestions | null;

/** Completion with the playground's suggestions. */
export function completionSource(suggest: Suggest) {
  return (context: CompletionContext): CompletionResult | null => {
    const { state, pos } = context;
    const tree = ensureSyntaxTree(state, state.doc.length, PATIENCE) ?? syntaxTree(state);
    const found = suggest({ text: state.doc.toString(), tree }, pos);
    if (!found || (found.from === pos && !context.explicit && !isOpening(state.sliceDoc(pos - 1, pos)))) return null;
    const before = found.from - found.replace.from;
    const after = found.replace.to - pos;
    return {
      from: found.from,
      to: pos,
      options: found.items.map((item, index) => completionOf(item, before, after, -index)),
      validFor: /^[^"\s|&]*$/u,
    };
  };
}

/** Characters after which a list opens automatically. */
function isOpening(letter: string): boolean {
  return letter === '"' || letter === "†";
}

function completionOf(item: Suggestion, before: number, after: number, boost: number): Completion {
  const { label, detail, info, insert, cursor, kind } = item;
  return {
    label,
    type: kind,
    ...(detail === null ? {} : { detail }),
    ...(info === null ? {} : { info }),
    // Suggestions keep the schema's order; CodeMirror allows boosts up to 99.
    boost: Math.max(boost, -99),
    apply(view: EditorView, completion: Completion, from: number, to: number) {
      view.dispatch({
        changes: { from: from - before, to: to + Math.max(0, after), insert },
        selection: { anchor: from - before + cursor },
        annotations: pickedCompletion.of(completion),
        userEvent: "input.complete",
        scrollIntoView: true,
      });
      // A property without a value: completion of the value follows.
      if (cursor < insert.length) startCompletion(view);
    },
  };
}
