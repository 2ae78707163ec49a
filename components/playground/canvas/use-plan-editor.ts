"use client";

import { useTranslations } from "next-intl";
import { type RefObject, useState } from "react";
import { addCall, deleteCalls } from "@/lib/plan/edit/call-list.ts";
import { addAlternative, connect, type NewEdge } from "@/lib/plan/edit/connect.ts";
import { copyCalls, idFor, pasteCalls } from "@/lib/plan/edit/copy.ts";
import { freePath } from "@/lib/plan/edit/paths.ts";
import { type PlanText, readPlanText } from "@/lib/plan/edit/plan-text.ts";
import type { TextEdit } from "@/lib/plan/edit/text-edit.ts";
import { printReference } from "@/lib/plan/reference.ts";
import { metaSchema, outputSchema } from "@/lib/plan/schema/tool-schema.ts";
import type { EditorHandle, EditorHistory } from "../editor/code-editor.tsx";
import type { OpenPlan } from "../use-plan.ts";
import type { SelectedCalls } from "./use-selected-calls.ts";

/** The edits of the plan's text that the canvas and the form make. Each is one step of the text's history. */
export interface PlanEditor {
  /** The text is a valid plan, and its editor is loaded. */
  canEdit: boolean;
  history: EditorHistory;
  /** The newest edit in words, for screen readers. */
  said: string;
  /** Makes an edit and says it; false when it is not possible. */
  edit(make: (plan: PlanText) => readonly TextEdit[] | null, said: string): boolean;
  /** Adds a call of a tool after the selected one, and selects it; its id. */
  add(tool: string): string | null;
  connect(edge: NewEdge): boolean;
  addAlternative(id: string, kind: "branch" | "error"): void;
  remove(ids: readonly string[]): void;
  duplicate(ids: readonly string[]): void;
  /** The text of calls, for the clipboard; null for unknown ones. */
  copy(ids: readonly string[]): string | null;
  /** Inserts copied calls after the selected ones, and selects them; false when the text has none. */
  paste(copied: string): boolean;
  /** The same, and says why it is not possible; null is a clipboard that cannot be read. */
  pasteText(copied: string | null): void;
  undo(): void;
  redo(): void;
}

interface Edited {
  plan: OpenPlan;
  selected: SelectedCalls;
  editor: RefObject<EditorHandle | null>;
  /** Null until the editor is loaded. */
  history: EditorHistory | null;
}

/** The edits of a plan's text. */
export function usePlanEditor({ plan, selected, editor, history }: Edited): PlanEditor {
  const t = useTranslations("playground.draw");
  const [said, say] = useState("");
  const { documents, known } = plan;

  /** The text as it is now: it may be newer than the page. */
  const read = () => {
    const text = editor.current?.text();
    if (text === undefined) return null;
    return readPlanText(text, text === documents.json.plan.text ? documents.json.plan : undefined);
  };
  const apply = (edits: readonly TextEdit[], what: string) => {
    if (edits.length > 0) editor.current?.change(edits);
    say(what);
  };
  const edit: PlanEditor["edit"] = (make, what) => {
    const now = read();
    const edits = now && make(now);
    if (edits) apply(edits, what);
    else say(t("said.impossible"));
    return edits !== null;
  };
  const paste = (copied: string, after: string | null, what: (count: number) => string) => {
    const now = read();
    const pasted = now && pasteCalls(now, copied, after);
    if (!pasted) return false;
    apply(pasted.edits, what(pasted.ids.length));
    selected.only(pasted.ids);
    return true;
  };
  const last = selected.ids.at(-1) ?? null;
  const pasteAfterLast = (copied: string) => paste(copied, last, (count) => t("said.pasted", { count }));

  return {
    canEdit: history !== null && documents.values.plan !== null,
    history: history ?? { undo: false, redo: false },
    said,
    edit,
    add(name) {
      const now = read();
      if (!now) {
        say(t("said.impossible"));
        return null;
      }
      const tool = known.tools.get(name);
      const id = idFor(now, name);
      // A tool without a declared result gets an output path when something reads it.
      const writes = tool && outputSchema(tool) !== undefined && metaSchema(tool, "_outputPath") === undefined;
      const head = { _tool: name, _id: id };
      const call = writes ? { ...head, _outputPath: printReference(freePath(now, id)) } : head;
      apply(addCall(now, call, last), t("said.added", { call: id }));
      selected.only([id]);
      return id;
    },
    connect: (edge) =>
      edit(
        (now) => connect(now, edge)?.edits ?? null,
        t("said.connected", { from: edge.writer, to: edge.reader, parameter: edge.parameter.join(".") }),
      ),
    addAlternative(id, kind) {
      edit((now) => addAlternative(now, id, kind), t(`said.${kind}`, { call: id }));
    },
    remove(ids) {
      const isRemoved = (now: PlanText) => ids.length > 0 && ids.every((id) => now.ids.includes(id));
      const known = plan.read.ids;
      const from = known.findIndex((id) => ids.includes(id));
      const isLeft = (id: string) => !ids.includes(id);
      const next = known.slice(from).find(isLeft) ?? known.findLast(isLeft);
      if (edit((now) => (isRemoved(now) ? deleteCalls(now, ids) : null), t("said.removed", worded(ids))))
        selected.only(next === undefined ? [] : [next]);
    },
    duplicate(ids) {
      const now = read();
      const after = ids.at(-1) ?? null;
      if (!now || !paste(copyCalls(now, ids), after, () => t("said.duplicated", worded(ids))))
        say(t("said.impossible"));
    },
    copy(ids) {
      const now = read();
      if (!now || !ids.some((id) => now.ids.includes(id))) return null;
      say(t("said.copied", worded(ids)));
      return copyCalls(now, ids);
    },
    paste: pasteAfterLast,
    pasteText(copied) {
      if (copied === null) say(t("said.unreadable"));
      else if (!pasteAfterLast(copied)) say(t("said.noCalls"));
    },
    undo() {
      editor.current?.undo();
      say(t("said.undone"));
    },
    redo() {
      editor.current?.redo();
      say(t("said.redone"));
    },
  };
}

/** The values of a message about one call or several. */
function worded(ids: readonly string[]): { count: number; call: string } {
  return { count: ids.length, call: ids[0] ?? "" };
}
