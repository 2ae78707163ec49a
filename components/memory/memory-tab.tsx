import { useLocale, useTranslations } from "next-intl";
import { useDeferredValue, useMemo } from "react";
import { useStudio } from "@/components/studio/use-studio.ts";
import { readDocument } from "@/lib/memory/document.ts";
import { selfCheck } from "@/lib/memory/self-check.ts";
import type { SessionEvent } from "@/lib/session/event.ts";
import { isJsonObject, type Json } from "@/lib/session/json/json.ts";
import { ForeignMemory } from "./foreign-memory.tsx";
import { MemoryView } from "./memory-view.tsx";

/** The memory at the step, with the step's changes and the self-check (C6). */
export function MemoryTab() {
  const t = useTranslations("memory");
  const locale = useLocale();
  const memory = useDeferredValue(useStudio((state) => state.session.memory));
  const before = useDeferredValue(
    useStudio(({ session, before }) => (before?.at === session.at - 1 ? before.memory : null)),
  );
  const event = useStudio((state) => state.event);
  const read = useMemo(() => (isNothing(memory) ? null : readDocument(memory)), [memory]);
  const old = useMemo(() => {
    const document = before === memory || isNothing(before) ? null : readDocument(before);
    return document?.ok ? document.document : null;
  }, [before, memory]);
  const now = useMemo(() => timeOf(event), [event]);
  if (read === null)
    return (
      <div className="p-3 text-pretty">
        <p className="font-medium">{t("empty")}</p>
        <p className="mt-1 text-fg-3">{t("emptyWhy")}</p>
      </div>
    );
  return (
    <div className="flex h-full min-h-0 flex-col">
      <LastChange />
      <div className="min-h-0 flex-1">
        {read.ok ? (
          <MemoryView
            document={read.document}
            before={old}
            warnings={selfCheck(read.document, now, locale)}
            now={now}
          />
        ) : (
          <ForeignMemory memory={memory} before={before} faults={read.faults} />
        )}
      </div>
    </div>
  );
}

function isNothing(memory: Json): boolean {
  return memory === null || (isJsonObject(memory) && Object.keys(memory).length === 0);
}

/** The time of the step; now while loading, or without a time. */
function timeOf(event: SessionEvent | null): Date {
  return event ? new Date(event.occurred_at ?? event.recorded_at) : new Date();
}

/** Whether the step changed the memory; if not, a link to the step that last did. */
function LastChange() {
  const t = useTranslations("memory");
  const at = useStudio((state) => state.session.at);
  const timeline = useStudio((state) => state.timeline);
  const jump = useStudio((state) => state.jump);
  const last = useMemo(
    () => timeline?.findLast(({ seq, type }) => seq <= at && type === "memory.updated")?.seq ?? null,
    [timeline, at],
  );
  return (
    <p className="flex min-h-7.5 phone:min-h-11 flex-none items-center gap-1.5 border-line border-b px-4 text-11 text-fg-3">
      {last === at ? (
        t("changedHere")
      ) : (
        <>
          {timeline && t("unchanged")}
          {last !== null && (
            <button
              type="button"
              onClick={() => jump(last)}
              className="min-h-6 text-fg-2 underline decoration-line-control underline-offset-3 hover:text-fg"
            >
              {t("lastChange", { step: last })}
            </button>
          )}
        </>
      )}
    </p>
  );
}
