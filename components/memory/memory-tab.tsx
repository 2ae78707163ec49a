import { useLocale, useTranslations } from "next-intl";
import { useDeferredValue, useMemo } from "react";
import { useStudio } from "@/components/studio/use-studio.ts";
import { readDocument } from "@/lib/memory/document.ts";
import { selfCheck } from "@/lib/memory/self-check.ts";
import type { SessionEvent } from "@/lib/session/event.ts";
import { isJsonObject, type Json } from "@/lib/session/json/json.ts";
import { ForeignMemory } from "./foreign-memory.tsx";
import { LastChange } from "./last-change.tsx";
import { MemoryView } from "./memory-view.tsx";

/** The memory as it stood at the step, with what the step changed and what the self-check would have said (C6). */
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

/** When the step happened; while it loads, or where no time is told, now. */
function timeOf(event: SessionEvent | null): Date {
  return event ? new Date(event.occurred_at ?? event.recorded_at) : new Date();
}
