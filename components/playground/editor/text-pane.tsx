"use client";

import dynamic from "next/dynamic";
import { useTranslations } from "next-intl";
import { type Ref, type RefObject, useMemo, useRef } from "react";
import { flushSync } from "react-dom";
import { useSelection } from "@/components/selection/use-selection.ts";
import { Segmented } from "@/components/ui/segmented.tsx";
import { entriesOf, type JsonText } from "@/lib/plan/edit/json-text.ts";
import { DOCUMENTS, type DocumentName } from "../draft/documents.ts";
import type { OpenDraft } from "../draft/use-draft.ts";
import type { OpenPlan } from "../use-plan.ts";
import type { EditorHandle, EditorHistory } from "./code-editor.tsx";
import type { Phrases } from "./editor-extensions.ts";
import type { PlacedProblem } from "./place-problems.ts";
import { ProblemList } from "./problem-list.tsx";
import { suggest } from "./suggestions.ts";
import { useProblemWords } from "./use-problem-words.ts";

/** Large and client-only. */
const CodeEditor = dynamic(() => import("./code-editor.tsx").then((room) => room.CodeEditor), {
  ssr: false,
  loading: () => <EditorLoading />,
});

interface TextPaneProps {
  draft: OpenDraft;
  plan: OpenPlan;
  document: DocumentName;
  onDocument: (document: DocumentName) => void;
  /** The plan's id. */
  editor: RefObject<EditorHandle | null>;
  /** Shows the text pane for a range. */
  onShow: () => void;
  /** Called with the history of the plan's text. */
  onHistory: (history: EditorHistory) => void;
}

/** The three texts as tabs, and the problems of all of them below. */
export function TextPane({ draft, plan, document, onDocument, editor, onShow, onHistory }: TextPaneProps) {
  const t = useTranslations("playground.documents");
  const context = useRef<EditorHandle>(null);
  const tools = useRef<EditorHandle>(null);
  const handles: Record<DocumentName, RefObject<EditorHandle | null>> = { plan: editor, context, tools };
  const select = useCallSelection(plan);
  const pick = (problem: PlacedProblem) => {
    // A hidden text has to be rendered before it can be focused.
    flushSync(() => {
      onShow();
      onDocument(problem.document);
    });
    handles[problem.document].current?.select(problem, true);
  };
  return (
    <section aria-label={t("label")} className="flex min-h-0 min-w-0 flex-1 flex-col bg-surface">
      <div className="flex h-[var(--h-toolbar)] flex-none items-center gap-2 border-line border-b px-2">
        <Segmented
          label={t("label")}
          value={document}
          options={DOCUMENTS.map((name) => ({ value: name, label: <Tab name={name} problems={plan.problems} /> }))}
          onChange={onDocument}
        />
        <span className="min-w-0 truncate text-11 text-fg-3">{t(`hint.${document}`)}</span>
      </div>
      <div className="relative min-h-0 flex-1">
        {draft.draft === null ? (
          <EditorLoading />
        ) : (
          DOCUMENTS.map((name) => (
            <div key={name} hidden={name !== document} className="absolute inset-0">
              <DocumentEditor
                name={name}
                draft={draft}
                plan={plan}
                handle={handles[name]}
                onCaret={name === "plan" ? select : ignore}
                onHistory={name === "plan" ? onHistory : ignore}
              />
            </div>
          ))
        )}
      </div>
      <ProblemList plan={plan} onPick={pick} />
    </section>
  );
}

const ignore = () => undefined;

/** The cursor's call is selected. */
function useCallSelection({ read }: OpenPlan): (json: JsonText, position: number) => void {
  const [selection, select] = useSelection();
  return (json, position) => {
    const index = entriesOf(json).findIndex(({ from, to }) => position >= from && position <= to);
    const id = read.ids[index] ?? null;
    if (id !== selection.call) select({ call: id });
  };
}

function Tab({ name, problems }: { name: DocumentName; problems: readonly PlacedProblem[] }) {
  const t = useTranslations("playground");
  const count = problems.filter(({ document, severity }) => document === name && severity === "error").length;
  return (
    <>
      {t(`documents.${name}`)}
      {count > 0 && (
        <span className="text-st-failed tabular-nums">
          <span aria-hidden>{count}</span>
          <span className="sr-only">{t("problems.errors", { count })}</span>
        </span>
      )}
    </>
  );
}

interface DocumentEditorProps {
  name: DocumentName;
  draft: OpenDraft;
  plan: OpenPlan;
  handle: Ref<EditorHandle>;
  onCaret: (json: JsonText, position: number) => void;
  onHistory: (history: EditorHistory) => void;
}

function DocumentEditor({ name, draft, plan, handle, onCaret, onHistory }: DocumentEditorProps) {
  const t = useTranslations("playground.documents");
  const phrases = useEditorPhrases();
  const words = useProblemWords();
  const { problems, knowledge } = plan;
  const marks = useMemo(
    () =>
      problems
        .filter(({ document }) => document === name)
        .map((problem) => ({
          from: problem.from,
          to: problem.to,
          severity: problem.severity,
          message: words(problem).sentence,
        })),
    [problems, name, words],
  );
  return (
    <CodeEditor
      key={draft.opened}
      label={t(`edit.${name}`)}
      placeholder={t(`empty.${name}`)}
      phrases={phrases}
      value={draft.draft?.[name] ?? ""}
      marks={marks}
      suggest={(json, position) => (name === "plan" ? suggest(json, position, knowledge) : null)}
      onRest={(text) => draft.write(name, text)}
      onCaret={onCaret}
      onHistory={onHistory}
      handle={handle}
    />
  );
}

function EditorLoading() {
  const t = useTranslations("playground.documents");
  return (
    <p role="status" className="p-3 text-fg-3">
      {t("loading")}
    </p>
  );
}

/** CodeMirror's phrases and their message keys. */
const WORDS = [
  ["Find", "find"],
  ["Replace", "replaceWith"],
  ["next", "next"],
  ["previous", "previous"],
  ["all", "all"],
  ["match case", "matchCase"],
  ["by word", "byWord"],
  ["regexp", "regexp"],
  ["replace", "replace"],
  ["replace all", "replaceAll"],
  ["close", "close"],
  ["Go to line", "goToLine"],
  ["go", "go"],
  ["Completions", "completions"],
  ["Diagnostics", "diagnostics"],
  ["No diagnostics", "noDiagnostics"],
  ["Fold line", "foldLine"],
  ["Unfold line", "unfoldLine"],
  ["unfold", "unfold"],
  ["folded code", "foldedCode"],
] as const;

/** CodeMirror's phrases in the reader's language. */
function useEditorPhrases(): Phrases {
  const t = useTranslations("playground.editor");
  return useMemo(() => Object.fromEntries(WORDS.map(([english, name]) => [english, t(name)])), [t]);
}
