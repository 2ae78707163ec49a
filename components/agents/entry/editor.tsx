"use client";

import { useTranslations } from "next-intl";
import { type KeyboardEvent, useDeferredValue, useMemo, useState } from "react";
import { ApiProblem } from "@/components/client/api.ts";
import { AskOnce } from "@/components/ui/ask-once.tsx";
import { Button } from "@/components/ui/button.tsx";
import { Icon } from "@/components/ui/icon.tsx";
import type { AgentStateVersion } from "@/lib/api/shapes.ts";
import { diffValues } from "@/lib/session/json/diff.ts";
import type { Json } from "@/lib/session/json/json.ts";
import { useAgentSelection } from "../use-agent-selection.ts";
import { Conflict } from "./conflict.tsx";
import { type Draft, isChanged, printJson, useDraft } from "./drafts.tsx";
import { type JsonFlaw, readJsonDraft } from "./json-draft.ts";
import { JsonField } from "./json-field.tsx";
import { SaveError } from "./save-error.tsx";
import { useSave } from "./use-save.ts";
import { useValue } from "./use-value.ts";
import { ValueChanges } from "./value-changes.tsx";

interface EditorProps {
  agent: string;
  entryKey: string;
  /** The newest version; null for none. */
  current: AgentStateVersion | null;
  onWritten: (version: number) => void;
}

const NEW: Draft = { base: null, text: "{}" };

/** The editor of a value. It shows the newest version until the first edit, then keeps the edit. */
export function Editor(props: EditorProps) {
  const t = useTranslations("agents.entry");
  const { agent, entryKey, current } = props;
  const [written] = useDraft(agent, entryKey);
  const newest = useValue(agent, entryKey, current?.version ?? null);
  if (written) return <Writing {...props} draft={written} newest={newest.data?.value} />;
  if (current === null) return <Writing {...props} draft={NEW} newest={undefined} />;
  if (newest.error) return <SaveError error={newest.error} />;
  const value = newest.data?.value;
  if (value === undefined)
    return (
      <p role="status" className="p-4 text-fg-3">
        {t("loading")}
      </p>
    );
  const draft = { base: { version: current.version, value }, text: printJson(value) };
  return <Writing {...props} draft={draft} newest={value} />;
}

interface WritingProps extends EditorProps {
  draft: Draft;
  /** The newest version's value; undefined while loading, or when there is none. */
  newest: Json | undefined;
}

function Writing({ agent, entryKey, current, onWritten, draft, newest }: WritingProps) {
  const t = useTranslations("agents.editor");
  const [, select] = useAgentSelection();
  const [, setDraft] = useDraft(agent, entryKey);
  const [comparing, setComparing] = useState(false);
  const save = useSave(agent, entryKey);
  const read = useMemo(() => readJsonDraft(draft.text), [draft.text]);
  const changed = isChanged(draft);
  const overtaken = (draft.base?.version ?? null) !== (current?.version ?? null);

  const leave = () => {
    setDraft(null);
    select({ tab: null });
  };
  const write = (over: number | null) => {
    if (!read.ok) return;
    save.mutate(
      { text: draft.text, over },
      {
        onSuccess: (version) => {
          onWritten(version);
          leave();
        },
        onError: (error) => {
          if (!isStale(error)) return;
          setDraft(draft);
          setComparing(true);
        },
      },
    );
  };
  const canSave = read.ok && changed && !save.isPending;
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === "Escape" && !changed) leave();
    if (event.key.toLowerCase() !== "s" || !(event.ctrlKey || event.metaKey)) return;
    event.preventDefault();
    if (canSave) write(draft.base?.version ?? null);
  };

  if (comparing && overtaken)
    return (
      <Conflict
        base={draft.base}
        theirs={current}
        theirValue={newest}
        mine={read.ok ? read.value : undefined}
        busy={save.isPending}
        error={save.error && !isStale(save.error) ? save.error : null}
        onTheirs={leave}
        onMine={() => write(current?.version ?? null)}
        onGoOn={() => {
          // The reader has seen the newer version: saving now overwrites it.
          const value = newest;
          setDraft({ ...draft, base: current && value !== undefined ? { version: current.version, value } : null });
          setComparing(false);
          save.reset();
        }}
      />
    );
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: it listens to the keys of the field inside it
    <div className="flex h-full min-h-0 flex-col" onKeyDown={onKeyDown}>
      {overtaken && (
        <div
          role="status"
          className="flex min-h-8.5 flex-none flex-wrap items-center gap-2 border-line border-b bg-chg-bg px-4 py-1"
        >
          <Icon name="warn" className="text-chg" />
          <p className="min-w-0 flex-1 text-pretty">
            {current ? t("overtaken", { version: current.version }) : t("deletedMeanwhile")}
          </p>
          <Button onClick={() => setComparing(true)}>{t("compare")}</Button>
        </div>
      )}
      <JsonField
        text={draft.text}
        flaw={read.ok ? null : read.flaw}
        onChange={(text) => setDraft({ ...draft, text })}
      />
      <Changed draft={draft} value={read.ok ? read.value : undefined} />
      <div className="flex flex-none flex-wrap items-center gap-2 border-line-strong border-t bg-surface px-4 py-2">
        <Button
          variant="primary"
          disabled={!canSave}
          aria-keyshortcuts="Control+S"
          onClick={() => write(draft.base?.version ?? null)}
        >
          {draft.base === null ? t("create") : t("save")}
        </Button>
        {changed ? (
          <AskOnce
            trigger={t("discard")}
            label={t("discard")}
            confirm={t("discardConfirm")}
            keep={t("keep")}
            danger
            busy={false}
            onConfirm={leave}
          >
            <p>{t("discardWhat")}</p>
          </AskOnce>
        ) : (
          <Button variant="ghost" onClick={leave}>
            {t("leave")}
          </Button>
        )}
        <Fault
          error={overtaken && save.error && isStale(save.error) ? null : save.error}
          flaw={read.ok ? null : read.flaw}
        />
      </div>
    </div>
  );
}

function isStale(error: Error): boolean {
  return error instanceof ApiProblem && error.status === 412;
}

/** Why it cannot be saved: where the JSON is invalid, or the server's error. */
function Fault({ error, flaw }: { error: Error | null; flaw: JsonFlaw | null }) {
  const t = useTranslations("agents.editor");
  if (flaw)
    return (
      <p id="json-flaw" role="status" className="min-w-0 text-st-failed">
        {t("flawAt", { line: flaw.line, column: flaw.column })} {t(`flaw.${flaw.kind}`)}
      </p>
    );
  return <SaveError error={error} />;
}

/** How many differences saving would write, with the list on request. */
function Changed({ draft: { base }, value }: { draft: Draft; value: Json | undefined }) {
  const t = useTranslations("agents.editor");
  const shown = useDeferredValue(value);
  const count = useMemo(() => (base && shown !== undefined ? diffValues(base.value, shown).length : 0), [base, shown]);
  if (base === null || value === undefined || count === 0) return null;
  return (
    <details className="flex-none border-line border-t">
      <summary className="flex min-h-7.5 phone:min-h-11 list-none items-center gap-1 px-3 text-fg-2 hover:bg-hover [&::-webkit-details-marker]:hidden">
        <Icon name="right" size={14} className="text-fg-3 in-open:rotate-90" />
        {t("changed", { count, version: base.version })}
      </summary>
      <div className="max-h-50 overflow-y-auto px-4 pb-2">
        <ValueChanges before={base.value} after={shown} />
      </div>
    </details>
  );
}
