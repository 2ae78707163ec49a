"use client";

import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { useTranslations } from "next-intl";
import { useDeferredValue, useMemo, useState } from "react";
import { callApi } from "@/components/client/api.ts";
import { CopyButton } from "@/components/inspector/copy-button.tsx";
import { StepLink } from "@/components/inspector/step-link.tsx";
import { useSelection } from "@/components/selection/use-selection.ts";
import { useStudio } from "@/components/studio/use-studio.ts";
import { Button } from "@/components/ui/button.tsx";
import { Segmented } from "@/components/ui/segmented.tsx";
import { WorkbenchLink } from "@/components/workbench/workbench-link.tsx";
import type { SessionEvent } from "@/lib/session/event.ts";
import { BudgetBar } from "./budget-bar.tsx";
import { ChangesView } from "./changes-view.tsx";
import { HistoryReport } from "./history-report.tsx";
import { MessageLine } from "./message-line.tsx";
import { PromptText } from "./prompt-text.tsx";
import { PromptWarnings } from "./prompt-warnings.tsx";
import { type ModelRequest, readRequest } from "./read-request.ts";
import { RequestBar } from "./request-bar.tsx";
import { promptRows, type Requests, requestsAt, type ShownRequest } from "./requests.ts";
import { useFindMessage } from "./use-find-message.ts";

/** The Prompt tab: the newest request at the step with its prompt, sources and truncation (C6, H6). */
export function PromptTab() {
  const t = useTranslations("prompt");
  const requests = useShownRequest();
  if (!requests) return <p className="p-3 text-fg-3">{t("loading")}</p>;
  if (requests.kind === "none") return <NoPrompt requests={requests} />;
  return <Shown request={requests.request} />;
}

/** The empty state: why there is no prompt, and where there is one. */
function NoPrompt({ requests: { of, next } }: { requests: Extract<Requests, { kind: "none" }> }) {
  const t = useTranslations("prompt.none");
  const [, select] = useSelection();
  const words = next === null ? of : ("notYet" as const);
  return (
    <div className="p-3 text-pretty">
      <p className="font-medium">{t(`${words}.title`)}</p>
      <p className="mt-1 text-fg-3">
        {t.rich(`${words}.why`, { code: (text) => <code className="font-mono text-11">{text}</code> })}
      </p>
      {next !== null && <StepLink step={next}>{t("first", { step: next })}</StepLink>}
      {of === "selection" && (
        <p className="mt-2">
          <Button onClick={() => select({ call: null, run: null, iteration: null })}>{t("all")}</Button>
        </p>
      )}
    </div>
  );
}

function Shown({ request }: { request: ShownRequest }) {
  const t = useTranslations("prompt");
  const { data, isPlaceholderData, error, refetch } = useRequest(request.row.seq, request.until);
  const isShown = data && !isPlaceholderData;
  return (
    <div className="flex h-full min-h-0 flex-col">
      <RequestBar request={request} iteration={isShown ? data.iteration : null} />
      {error && (
        <p role="alert" className="flex items-center gap-2 p-3 text-st-failed">
          {error.message}
          <Button onClick={() => void refetch()}>{t("retry")}</Button>
        </p>
      )}
      {!data && !error && <p className="p-3 text-fg-3">{t("loading")}</p>}
      {data && (
        <div aria-busy={isPlaceholderData} className="min-h-0 flex-1 overflow-y-auto">
          <Request request={data} compared={request.compared?.seq ?? null} />
        </div>
      )}
    </div>
  );
}

interface RequestProps {
  request: ModelRequest;
  /** The step of the request that it is compared with. */
  compared: number | null;
}

function Request({ request, compared }: RequestProps) {
  const t = useTranslations("prompt");
  const [view, setView] = useState<"text" | "changes">("text");
  const { prompt, parts, budget, history, warnings, tokens } = request;
  return (
    <>
      {budget && (
        <div className="border-line border-b">
          <BudgetBar budget={budget} />
        </div>
      )}
      {history && <HistoryReport history={history} />}
      <PromptWarnings warnings={warnings} parts={parts} />
      <div className="sticky top-0 z-1 flex min-h-9 items-center gap-1.5 bg-surface px-3 py-1">
        <Segmented
          label={t("view.label")}
          value={view}
          options={[
            { value: "text", label: t("view.text") },
            { value: "changes", label: t("view.changes") },
          ]}
          onChange={setView}
        />
        <span className="flex-1" />
        {tokens !== null && !budget && (
          <span className="text-11 whitespace-nowrap text-fg-3 tabular-nums">{t("tokens", { count: tokens })}</span>
        )}
        <WorkbenchLink step={request.step} />
        <CopyButton text={() => prompt} label={t("copy")} />
      </div>
      {view === "changes" ? <Changes request={request} compared={compared} /> : <Text request={request} />}
    </>
  );
}

function Text({ request: { step, prompt, parts } }: { request: ModelRequest }) {
  const finder = useFindMessage();
  return (
    <PromptText
      key={step}
      prompt={prompt}
      parts={parts}
      aboutMessage={(id) => <MessageLine id={id} message={finder.find(id)} />}
    />
  );
}

function Changes({ request, compared }: RequestProps) {
  const t = useTranslations("prompt");
  const { data, isPlaceholderData, error } = useRequest(compared, compared ?? 0);
  if (compared === null) return <p className="px-3 py-2 text-fg-3">{t("changes.first")}</p>;
  if (error) return <p className="px-3 py-2 text-st-failed">{error.message}</p>;
  if (!data || isPlaceholderData) return <p className="px-3 py-2 text-fg-3">{t("loading")}</p>;
  return <ChangesView key={request.step} prompt={request.prompt} earlier={data} />;
}

/**
 * The request whose prompt was rendered at a step, with details from events up to `until`. While it loads, `data` is
 * the previous one. Null steps load nothing, nor does dragging the playhead.
 */
function useRequest(step: number | null, until: number) {
  const conversationId = useStudio((state) => state.conversationId);
  const dragging = useStudio((state) => state.dragging);
  return useQuery({
    queryKey: ["model-request", conversationId, step, until],
    queryFn: ({ signal }) => fetchRequest(conversationId, step ?? 0, until, signal),
    enabled: step !== null && !dragging,
    placeholderData: keepPreviousData,
    // Recorded events are immutable.
    staleTime: Number.POSITIVE_INFINITY,
  });
}

async function fetchRequest(
  conversationId: string,
  step: number,
  until: number,
  signal: AbortSignal,
): Promise<ModelRequest | null> {
  const { items } = await callApi<{ items: SessionEvent[] }>(
    `/api/conversations/${encodeURIComponent(conversationId)}/events`,
    { query: { after: step - 1, limit: until - step + 1 }, signal },
  );
  return readRequest(items);
}

/** The request at the current step for the selection; null until the timeline is loaded. */
function useShownRequest(): Requests | null {
  const session = useDeferredValue(useStudio((state) => state.session));
  const timeline = useStudio((state) => state.timeline);
  const [selection] = useSelection();
  const prompts = useMemo(() => timeline && promptRows(timeline), [timeline]);
  return useMemo(
    () => (timeline && prompts ? requestsAt(session, timeline, prompts, selection) : null),
    [session, timeline, prompts, selection],
  );
}
