"use client";

import { useTranslations } from "next-intl";
import { memo, useState } from "react";
import { Clock } from "@/components/format/clock.tsx";
import { useDuration } from "@/components/format/use-duration.ts";
import { StageStrip } from "@/components/stages/stage-strip.tsx";
import { RunStatusIcon } from "@/components/studio/header/run-status-icon.tsx";
import { Icon } from "@/components/ui/icon.tsx";
import type { Run, Session } from "@/lib/session/session.ts";
import { Ask } from "./ask.tsx";
import { CallList } from "./call-list.tsx";
import { Answering } from "./message/answering.tsx";
import { Message } from "./message/message.tsx";
import { AlertNote, CheckNote, Mark, WarningNote } from "./notes.tsx";
import { looksSame } from "./same-section.ts";
import { isHighlighted, type Scene } from "./scene.ts";
import { type Entry, type Section, talkOf } from "./sections.ts";
import { type HiddenCalls, shownEntries } from "./shown-entries.ts";

const NONE: ReadonlySet<string> = new Set();

interface RunSectionProps {
  section: Section;
  scene: Scene;
  open: boolean;
  /** Expands or collapses a section by id; only collapsible ones have a toggle. */
  onToggle: (id: string, open: boolean) => void;
}

/**
 * A run: messages and calls in order; collapsed, a line and the messages. Memoized: there are hundreds, and a step
 * changes at most one.
 */
export const RunSection = memo(RunInThread, (before, after) => {
  const { section, open, onToggle } = after;
  const isSame = before.section === section && before.open === open && before.onToggle === onToggle;
  return isSame && looksSame(section, before.scene, after.scene);
});

function RunInThread({ section, scene, open, onToggle }: RunSectionProps) {
  const [asked, setAsked] = useState<ReadonlySet<string>>(NONE);
  const entries = shownEntries(open ? section.entries : talkOf(section), scene.current ?? scene.selected, asked);
  return (
    <section>
      {section.folded && section.run ? (
        <Fold
          id={section.id}
          run={section.run}
          number={section.number}
          steps={section.steps}
          calls={section.calls}
          open={open}
          onToggle={onToggle}
        />
      ) : (
        section.run && <Divider section={section} />
      )}
      {entries.length > 0 && (
        <div className="px-3">
          {entries.map((entry) =>
            entry.kind === "hidden" ? (
              <Hidden key={entry.id} hidden={entry} onShow={() => setAsked(new Set([...asked, entry.id]))} />
            ) : (
              <div
                key={keyOf(entry)}
                className={entry.kind === "check" ? "thread-entry thread-check" : "thread-entry"}
                data-lit={isHighlighted(entry, scene) || undefined}
              >
                <EntryView entry={entry} scene={scene} />
              </div>
            ),
          )}
        </div>
      )}
      {section.run && (
        <Answering
          session={scene.session}
          run={section.run}
          live={scene.at === 0}
          warnings={section.entries.flatMap((entry) => (entry.kind === "check" ? entry.warnings : []))}
        />
      )}
    </section>
  );
}

/** Hidden calls, with a button that shows them. */
function Hidden({ hidden: { side, count }, onShow }: { hidden: HiddenCalls; onShow: () => void }) {
  const t = useTranslations("thread");
  return (
    <button
      type="button"
      onClick={onShow}
      className="flex h-6 w-full phone:h-11 items-center gap-1.5 border-l-2 border-line-strong px-2.5 text-11 text-fg-3 hover:bg-hover hover:text-fg"
    >
      <Icon name={side === "earlier" ? "up" : "down"} size={12} />
      {t(`${side}Calls`, { count })}
    </button>
  );
}

interface FoldProps {
  id: string;
  run: Run;
  number: number;
  steps: number;
  calls: number;
  open: boolean;
  onToggle: (id: string, open: boolean) => void;
}

/** A run as one line. Memoized: a long session has hundreds, and a step changes at most one. */
const Fold = memo(function Fold({ id, run, number, steps, calls, open, onToggle }: FoldProps) {
  const t = useTranslations();
  return (
    <h3>
      <button
        type="button"
        aria-expanded={open}
        onClick={() => onToggle(id, !open)}
        className="flex h-6.5 phone:h-11 w-full items-center gap-1.5 border-line border-b pr-3 pl-2 text-left whitespace-nowrap text-fg-3 hover:bg-hover"
      >
        <Icon name={open ? "down" : "right"} size={12} />
        <RunStatusIcon run={run} />
        <span className="text-fg-2">{t("thread.run", { number })}</span>
        {run.stages.length > 0 ? (
          <StageStrip run={run} />
        ) : (
          <span className="min-w-0 truncate">
            {t("thread.steps", { count: steps })}
            {calls > 0 && ` · ${t("thread.calls", { count: calls })}`}
          </span>
        )}
        <Clock at={run.started_at} className="ml-auto pl-1.5 text-11" />
      </button>
    </h3>
  );
});

/** Shorter pauses are not shown, ms. */
const WORTH_SAYING = 60_000;

function Divider({ section }: { section: Section }) {
  const t = useTranslations("thread");
  const duration = useDuration();
  const later =
    section.later !== null && section.later >= WORTH_SAYING
      ? ` · ${t("later", { duration: duration(section.later) })}`
      : "";
  return (
    <h3 className="mt-2 mb-1.5 flex items-center gap-2 px-3 text-11 whitespace-nowrap text-fg-3">
      <span className="flex-none">
        {t("run", { number: section.number })}
        {later}
      </span>
      {section.run && <StageStrip run={section.run} />}
      <span aria-hidden className="h-px min-w-4 flex-1 bg-line" />
    </h3>
  );
}

/** A step may have several warnings. */
function keyOf(entry: Entry): string {
  return entry.kind === "warning" ? `warning ${entry.seq} ${entry.warning.message}` : `${entry.kind} ${entry.seq}`;
}

function EntryView({ entry, scene }: { entry: Entry; scene: Scene }) {
  const lit = isHighlighted(entry, scene);
  switch (entry.kind) {
    case "message":
      return (
        <Message
          message={entry.message}
          channel={scene.channel}
          lit={lit}
          newest={entry.message.id === scene.newestAnswer}
          late={entry.seq < scene.setFrom}
        />
      );
    case "calls":
      return <CallList rows={entry.rows} current={scene.current} selected={scene.selected} onSelect={scene.onSelect} />;
    case "ask": {
      const { confirmation, call } = entry;
      return (
        <Ask
          confirmation={confirmation}
          call={call}
          state={stateOf(scene.session, confirmation)}
          unanswered={scene.session.summary.unanswered.some(({ confirmation_id: id }) => id === confirmation.id)}
          lit={lit}
          onSelect={scene.onSelect}
        />
      );
    }
    case "alert":
      return <AlertNote alert={entry.alert} lit={lit} />;
    case "warning":
      return <WarningNote warning={entry.warning} lit={lit} />;
    case "check":
      return <CheckNote seq={entry.seq} warnings={entry.warnings} lit={lit} />;
    case "mark":
      return <Mark seq={entry.seq} type={entry.type} lit={lit} />;
    default:
      return entry satisfies never;
  }
}

function stateOf(session: Session, { run_id, instance }: { run_id: string | null; instance: string }) {
  const state = session.runs.get(run_id ?? "")?.state;
  return state?.[instance] ?? state?.[""] ?? null;
}
