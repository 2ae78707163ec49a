import { HighlightStyle, syntaxHighlighting } from "@codemirror/language";
import { EditorView } from "@codemirror/view";
import { tags } from "@lezer/highlight";

/** The editor's theme with the console's tokens. */
const LOOK = EditorView.theme({
  "&": { height: "100%", color: "var(--fg)", backgroundColor: "var(--surface)", fontSize: "var(--fs-12)" },
  "&.cm-focused": { outline: "none" },
  ".cm-scroller": { fontFamily: "var(--font-mono)", lineHeight: "19px" },
  ".cm-content": { caretColor: "var(--fg)", padding: "6px 0" },
  ".cm-cursor": { borderLeftColor: "var(--fg)" },
  ".cm-gutters": { color: "var(--fg-3)", backgroundColor: "var(--surface)", border: "0" },
  ".cm-lineNumbers .cm-gutterElement": { padding: "0 4px 0 10px", minWidth: "28px" },
  ".cm-activeLine, .cm-activeLineGutter": { backgroundColor: "transparent" },
  "&.cm-focused .cm-activeLine": { backgroundColor: "color-mix(in srgb, var(--hover) 60%, transparent)" },
  ".cm-activeLineGutter": { color: "var(--fg)" },
  "& > .cm-scroller > .cm-selectionLayer .cm-selectionBackground": { backgroundColor: "var(--accent-soft)" },
  "&.cm-focused > .cm-scroller > .cm-selectionLayer .cm-selectionBackground": {
    backgroundColor: "var(--accent-soft)",
  },
  ".cm-selectionMatch": { backgroundColor: "var(--active)" },
  "&.cm-focused .cm-matchingBracket": { backgroundColor: "var(--active)", outline: "1px solid var(--line-control)" },
  "&.cm-focused .cm-nonmatchingBracket": { backgroundColor: "var(--st-failed-bg)" },
  ".cm-searchMatch": { backgroundColor: "var(--mark)", color: "var(--mark-fg)" },
  ".cm-searchMatch-selected": { outline: "2px solid var(--accent)" },
  ".cm-placeholder": { color: "var(--fg-3)" },
  ".cm-foldPlaceholder": {
    color: "var(--fg-2)",
    backgroundColor: "var(--sunken)",
    border: "1px solid var(--line-strong)",
    padding: "0 5px",
  },
  ".cm-panels": { color: "var(--fg)", backgroundColor: "var(--sunken)", borderColor: "var(--line-strong)" },
  ".cm-panels.cm-panels-top": { borderBottom: "1px solid var(--line-strong)" },
  ".cm-panel.cm-search": { padding: "6px 24px 6px 8px", fontFamily: "var(--font-ui)" },
  ".cm-panel.cm-search label": { fontSize: "var(--fs-11)", color: "var(--fg-2)" },
  ".cm-textfield": {
    fontSize: "var(--fs-12)",
    color: "var(--fg)",
    backgroundColor: "var(--surface)",
    border: "1px solid var(--line-control)",
    borderRadius: "var(--r-2)",
    minHeight: "24px",
  },
  ".cm-button": {
    fontSize: "var(--fs-11)",
    color: "var(--fg)",
    backgroundColor: "var(--raised)",
    backgroundImage: "none",
    border: "1px solid var(--line-strong)",
    borderRadius: "var(--r-2)",
    minHeight: "24px",
  },
  ".cm-tooltip": {
    color: "var(--fg)",
    backgroundColor: "var(--raised)",
    border: "1px solid var(--line-strong)",
    borderRadius: "var(--r-2)",
    boxShadow: "var(--e-3)",
  },
  ".cm-tooltip.cm-tooltip-autocomplete > ul": {
    fontFamily: "var(--font-mono)",
    fontSize: "var(--fs-11)",
    maxHeight: "260px",
  },
  ".cm-tooltip.cm-tooltip-autocomplete > ul > li": { padding: "3px 8px", minHeight: "24px", color: "var(--fg)" },
  ".cm-tooltip-autocomplete ul li[aria-selected]": { color: "var(--fg)", backgroundColor: "var(--active)" },
  ".cm-completionDetail": { color: "var(--fg-3)", fontStyle: "normal", marginLeft: "10px" },
  ".cm-completionMatchedText": { color: "var(--accent)", textDecoration: "none", fontWeight: "600" },
  ".cm-completionInfo": {
    padding: "6px 8px",
    maxWidth: "280px",
    fontFamily: "var(--font-ui)",
    fontSize: "var(--fs-11)",
  },
  ".cm-diagnostic": { padding: "4px 8px", fontFamily: "var(--font-ui)", fontSize: "var(--fs-12)" },
  ".cm-diagnostic-error": { borderLeft: "3px solid var(--st-failed)" },
  ".cm-diagnostic-warning": { borderLeft: "3px solid var(--st-waiting)" },
  ".cm-lintRange-error": {
    backgroundImage: "none",
    textDecoration: "underline wavy var(--st-failed)",
    textUnderlineOffset: "3px",
    textDecorationSkipInk: "none",
  },
  ".cm-lintRange-warning": {
    backgroundImage: "none",
    textDecoration: "underline wavy var(--st-waiting)",
    textUnderlineOffset: "3px",
    textDecorationSkipInk: "none",
  },
  ".cm-lintRange-active": { backgroundColor: "var(--st-failed-bg)" },
  ".cm-gutter-lint": { width: "14px" },
  ".cm-gutter-lint .cm-gutterElement": { padding: "0 2px" },
  ".cm-lint-marker": { width: "8px", height: "8px", margin: "5px 0 0 1px", borderRadius: "50%" },
  ".cm-lint-marker-error": { content: "''", backgroundColor: "var(--st-failed)" },
  ".cm-lint-marker-warning": { content: "''", backgroundColor: "var(--st-waiting)", borderRadius: "1px" },
});

const INK = HighlightStyle.define([
  { tag: tags.propertyName, color: "var(--fg)" },
  { tag: tags.string, color: "var(--k-tool)" },
  { tag: [tags.number, tags.bool], color: "var(--k-model)" },
  { tag: [tags.null, tags.separator, tags.squareBracket, tags.brace], color: "var(--fg-3)" },
  { tag: tags.invalid, color: "var(--st-failed)" },
]);

/** The editor's styles. */
export const editorLook = [LOOK, syntaxHighlighting(INK)];
