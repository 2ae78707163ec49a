import {
  acceptCompletion,
  autocompletion,
  closeBrackets,
  closeBracketsKeymap,
  completionKeymap,
  completionStatus,
} from "@codemirror/autocomplete";
import { defaultKeymap, history, historyKeymap } from "@codemirror/commands";
import { json } from "@codemirror/lang-json";
import { bracketMatching, foldGutter, foldKeymap, indentOnInput, indentUnit, syntaxTree } from "@codemirror/language";
import { lintGutter, lintKeymap } from "@codemirror/lint";
import { highlightSelectionMatches, search, searchKeymap } from "@codemirror/search";
import { EditorState, type Extension } from "@codemirror/state";
import {
  drawSelection,
  EditorView,
  highlightActiveLine,
  highlightActiveLineGutter,
  keymap,
  lineNumbers,
  placeholder,
} from "@codemirror/view";
import { completionSource, type Suggest } from "./editor-completion.ts";
import { editorLook } from "./editor-theme.ts";
import type { JsonText } from "./json-place.ts";

/** The editor's own words, by the English ones. */
export type Phrases = Record<string, string>;

interface EditorOptions {
  label: string;
  placeholder: string;
  phrases: Phrases;
  /** What the page's policy asks of styles; "" where it asks for nothing. */
  nonce: string;
  suggest: Suggest;
  /** Something was typed, or changed otherwise by the reader; the text is so long now. */
  onText: (length: number) => void;
  onCaret: (json: JsonText, position: number) => void;
}

/** All that a JSON editor of the playground can do. */
export function editorExtensions(options: EditorOptions): Extension[] {
  const { label, nonce, suggest, onText, onCaret } = options;
  return [
    EditorView.cspNonce.of(nonce),
    EditorState.phrases.of(options.phrases),
    EditorState.tabSize.of(2),
    indentUnit.of("  "),
    // What can be edited has the focus anyway; named so, tools know as well that the keyboard comes to it.
    EditorView.contentAttributes.of({ "aria-label": label, spellcheck: "false", tabindex: "0" }),
    EditorView.lineWrapping,
    lineNumbers(),
    foldGutter(),
    lintGutter(),
    highlightActiveLineGutter(),
    highlightActiveLine(),
    drawSelection(),
    highlightSelectionMatches(),
    history(),
    indentOnInput(),
    bracketMatching(),
    closeBrackets(),
    search({ top: true }),
    autocompletion({
      override: [completionSource(suggest)],
      icons: false,
      maxRenderedOptions: 60,
      interactionDelay: 0,
    }),
    placeholder(options.placeholder),
    json(),
    // Tab leaves the editor, as it leaves any field; it only takes a suggestion while the list is open.
    keymap.of([
      { key: "Tab", run: (view) => acceptCompletion(view) || completionStatus(view.state) !== null },
      ...closeBracketsKeymap,
      ...defaultKeymap,
      ...searchKeymap,
      ...historyKeymap,
      ...foldKeymap,
      ...completionKeymap,
      ...lintKeymap,
    ]),
    editorLook,
    EditorView.updateListener.of((update) => {
      if (update.docChanged) onText(update.state.doc.length);
      const byReader = update.transactions.some((step) => step.isUserEvent("select") || step.isUserEvent("input"));
      if (byReader && (update.selectionSet || update.docChanged))
        onCaret(
          { text: update.state.doc.toString(), tree: syntaxTree(update.state) },
          update.state.selection.main.head,
        );
    }),
  ];
}
