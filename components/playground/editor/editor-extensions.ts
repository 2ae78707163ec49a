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
import type { JsonText } from "@/lib/plan/edit/json-text.ts";
import { completionSource, type Suggest } from "./editor-completion.ts";
import { editorLook } from "./editor-theme.ts";

/** Translations of CodeMirror's phrases. */
export type Phrases = Record<string, string>;

interface EditorOptions {
  label: string;
  placeholder: string;
  phrases: Phrases;
  /** The CSP nonce for styles; "" for none. */
  nonce: string;
  suggest: Suggest;
  /** The text has changed. */
  onText: (state: EditorState) => void;
  onCaret: (json: JsonText, position: number) => void;
}

/** All extensions of a JSON editor. */
export function editorExtensions(options: EditorOptions): Extension[] {
  const { label, nonce, suggest, onText, onCaret } = options;
  return [
    EditorView.cspNonce.of(nonce),
    EditorState.phrases.of(options.phrases),
    EditorState.tabSize.of(2),
    indentUnit.of("  "),
    // Editable content is focusable; the attribute also tells tools.
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
    // Tab leaves the editor, and accepts a suggestion only while the list is open.
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
      if (update.docChanged) onText(update.state);
      const byReader = update.transactions.some((step) => step.isUserEvent("select") || step.isUserEvent("input"));
      if (byReader && (update.selectionSet || update.docChanged))
        onCaret(
          { text: update.state.doc.toString(), tree: syntaxTree(update.state) },
          update.state.selection.main.head,
        );
    }),
  ];
}
