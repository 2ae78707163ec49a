"use client";

import { redo, redoDepth, undo, undoDepth } from "@codemirror/commands";
import { forceLinting, setDiagnostics } from "@codemirror/lint";
import { EditorState } from "@codemirror/state";
import { EditorView } from "@codemirror/view";
import { type Ref, useEffect, useEffectEvent, useImperativeHandle, useRef } from "react";
import type { JsonText } from "@/lib/plan/edit/json-text.ts";
import type { Range, TextEdit } from "@/lib/plan/edit/text-edit.ts";
import type { Suggest } from "./editor-completion.ts";
import { editorExtensions, type Phrases } from "./editor-extensions.ts";

/** The debounce of a text, ms; longer for a large one. */
const REST = { small: 150, large: 450 };
const LARGE = 60_000;

/** A mark in the text with its message. */
export interface EditorMark extends Range {
  severity: "error" | "warning";
  message: string;
}

/** Whether there are steps to undo and to redo. */
export interface EditorHistory {
  undo: boolean;
  redo: boolean;
}

/** The editor's methods. */
export interface EditorHandle {
  /** The current text. */
  text(): string;
  /** Changes the text as one undoable step. */
  change(edits: readonly TextEdit[]): void;
  /** Undoes the newest step, of typing or of `change`. */
  undo(): void;
  redo(): void;
  /** Selects a range and scrolls to it. */
  select(range: Range, focus: boolean): void;
  focus(): void;
  /** The editor has the focus. */
  hasFocus(): boolean;
}

interface CodeEditorProps {
  label: string;
  placeholder: string;
  phrases: Phrases;
  /** The text; when it differs from the last reported one, it was changed from outside. */
  value: string;
  /** Marks of this text. */
  marks: readonly EditorMark[];
  suggest: Suggest;
  /** Called after the debounce. */
  onRest: (text: string) => void;
  /** Called when the cursor moves, with the current text. */
  onCaret: (json: JsonText, position: number) => void;
  /** Called when it is ready, and with every change of its history. */
  onHistory: (history: EditorHistory) => void;
  handle: Ref<EditorHandle>;
}

/** A JSON editor with completion and marks. It owns its text while typing, and reports it after a debounce. */
export function CodeEditor(props: CodeEditorProps) {
  const { value, marks, handle } = props;
  const host = useRef<HTMLDivElement>(null);
  const view = useRef<EditorView | null>(null);
  const told = useRef(value);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);

  const flush = useEffectEvent(() => {
    clearTimeout(timer.current);
    const text = view.current?.state.doc.toString() ?? told.current;
    if (text === told.current) return;
    told.current = text;
    props.onRest(text);
  });
  const rest = useEffectEvent((length: number) => {
    clearTimeout(timer.current);
    timer.current = setTimeout(() => flush(), length > LARGE ? REST.large : REST.small);
  });
  const history = useEffectEvent((state: EditorState) =>
    props.onHistory({ undo: undoDepth(state) > 0, redo: redoDepth(state) > 0 }),
  );
  const caret = useEffectEvent((json: JsonText, position: number) => props.onCaret(json, position));
  const suggest = useEffectEvent<Suggest>((json, position) => props.suggest(json, position));

  // The outside system is CodeMirror.
  const open = useEffectEvent((parent: HTMLElement) => {
    const { label, placeholder, phrases } = props;
    view.current = new EditorView({
      parent,
      state: EditorState.create({
        doc: value,
        extensions: editorExtensions({
          ...{ label, placeholder, phrases },
          nonce: document.querySelector<HTMLScriptElement>("script[nonce]")?.nonce ?? "",
          suggest: (json, position) => suggest(json, position),
          onText(state) {
            rest(state.doc.length);
            history(state);
          },
          onCaret: (json, position) => caret(json, position),
        }),
      }),
    });
    history(view.current.state);
  });
  useEffect(() => {
    const parent = host.current;
    if (!parent) return;
    open(parent);
    const leave = () => flush();
    addEventListener("pagehide", leave);
    return () => {
      flush();
      removeEventListener("pagehide", leave);
      view.current?.destroy();
      view.current = null;
    };
  }, []);

  const takeOver = useEffectEvent((text: string) => {
    const { current } = view;
    if (!current || text === told.current) return;
    told.current = text;
    clearTimeout(timer.current);
    current.dispatch({ changes: { from: 0, to: current.state.doc.length, insert: text }, selection: { anchor: 0 } });
  });
  useEffect(() => takeOver(value), [value]);

  const mark = useEffectEvent((all: readonly EditorMark[]) => {
    const { current } = view;
    // Marks of an earlier text move with the text until those of the current one arrive.
    if (!current || current.state.doc.length !== value.length) return;
    current.dispatch(setDiagnostics(current.state, [...all]));
    forceLinting(current);
  });
  useEffect(() => mark(marks), [marks]);

  useImperativeHandle(handle, () => ({
    text: () => view.current?.state.doc.toString() ?? told.current,
    change(edits) {
      view.current?.dispatch({ changes: [...edits], userEvent: "edit" });
      flush();
    },
    undo() {
      if (view.current && undo(view.current)) flush();
    },
    redo() {
      if (view.current && redo(view.current)) flush();
    },
    select({ from, to }, focus) {
      const { current } = view;
      if (!current) return;
      const end = current.state.doc.length;
      const anchor = Math.min(from, end);
      const head = Math.min(to, end);
      current.dispatch({
        selection: { anchor, head },
        effects: EditorView.scrollIntoView(anchor, { y: "start", yMargin: 60 }),
      });
      if (focus) current.focus();
    },
    focus: () => view.current?.focus(),
    hasFocus: () => view.current?.hasFocus ?? false,
  }));

  return <div ref={host} className="h-full min-h-0 overflow-hidden" />;
}
