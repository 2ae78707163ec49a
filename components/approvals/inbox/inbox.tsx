"use client";

import { useTranslations } from "next-intl";
import { useEffect, useState } from "react";
import { useHasPermission } from "@/components/access/use-has-permission.ts";
import { decide, sendNow } from "@/components/decision/pending.ts";
import { ShortcutFooter } from "@/components/keys/shortcut-footer.tsx";
import { listMoves, useShortcuts } from "@/components/keys/use-shortcuts.ts";
import { useFacets } from "@/components/list/filters/use-facets.ts";
import { OfflineBanner } from "@/components/list/offline-banner.tsx";
import type { ListedConfirmation } from "@/lib/api/shapes.ts";
import { APPROVE_ID, DENY_ID } from "../item/action-bar.tsx";
import type { Form } from "../item/detail.tsx";
import { STUDIO_LINK_ID } from "../item/detail-head.tsx";
import { ItemPane } from "../item/item-pane.tsx";
import { TITLE_ID } from "../item/title-id.ts";
import { useDecisions } from "../item/use-decisions.ts";
import type { Status } from "../place.ts";
import { usePlace } from "../use-place.ts";
import { BulkBar } from "./bulk-bar.tsx";
import { BulkDialog } from "./bulk-dialog.tsx";
import { itemsOf } from "./inbox-pages.ts";
import { itemLinkId } from "./inbox-row.tsx";
import { HEADING_ID, ListPane } from "./list-pane.tsx";
import { NoItem } from "./nothing.tsx";
import { isOnScreen } from "./on-screen.ts";
import { useFocusAfter } from "./use-focus-after.ts";
import { useInbox } from "./use-inbox.ts";
import { useLiveInbox } from "./use-live-inbox.ts";
import { useMarks } from "./use-marks.ts";
import { nextWaiting, useShown } from "./use-shown.ts";

/** The approvals of a bulk decision, as they were when it was started. */
interface Bulk {
  decision: "approve" | "deny";
  items: readonly ListedConfirmation[];
}

/** The inbox of approvals (C7): the list, the selected approval, and its decision. */
export function Inbox() {
  const t = useTranslations("approvals");
  const { place, select, show } = usePlace();
  const query = useInbox(place.status);
  const live = useLiveInbox(place.status);
  const awaiting = useFacets()?.awaiting;
  const { items, item, index } = useShown(query.data ? itemsOf(query.data) : [], place);
  const focus = useFocusAfter();
  const [held, hold] = useHeld();
  const [form, setForm] = useState<{ id: string; form: Form } | null>(null);
  const [bulk, setBulk] = useState<Bulk | null>(null);

  const decides = useHasPermission("decide");
  // The keyboard shortcuts; each is ignored where its action is not available.
  const waits = decides && item?.status === "requested";
  const counted = place.status === "requested" ? (awaiting ?? null) : null;
  const total = query.hasNextPage ? counted : items.length;

  const lookAt = (to: number) => {
    const next = items[Math.max(0, Math.min(items.length - 1, to))];
    if (next) select(next.id);
    return next;
  };
  const onSelect = (id: string) => {
    select(id);
    focus(itemLinkId(id), TITLE_ID);
  };
  const back = () => {
    if (marking) return marks.clear();
    if (!item) return;
    // On a narrow screen the list replaces the details.
    if (!isOnScreen(document.getElementById(itemLinkId(item.id)))) select(null);
    focus(itemLinkId(item.id));
  };
  const onForm = (wanted: Form | null) => {
    setForm(item && wanted && { id: item.id, form: wanted });
    if (wanted === null) focus(TITLE_ID);
  };

  /** After a decision the next pending approval is selected, if the list is visible. */
  const goOn = (decided: ReadonlySet<string>) => {
    if (!item || !decided.has(item.id)) return;
    setForm(null);
    if (!isOnScreen(document.getElementById(itemLinkId(item.id)))) return focus(TITLE_ID);
    const isLeft = ({ id }: ListedConfirmation) => !decided.has(id) && !decisions.pending.has(id);
    const next = nextWaiting(items, item.id, isLeft);
    if (!next) return focus(TITLE_ID);
    hold(next.id);
    onSelect(next.id);
  };
  const decisions = useDecisions({
    // Its form stays open until the server has accepted it.
    onDecided: (ids) => form !== null && ids.has(form.id) && goOn(ids),
    onUndone: ([id]) => {
      if (id !== undefined && items.some((one) => one.id === id)) onSelect(id);
    },
  });
  const pending = item && decisions.pending.get(item.id);
  const marks = useMarks(items.filter(({ id }) => !decisions.pending.has(id)));
  const marking = marks.marked.length > 0;

  const decideItem = (decision: "approve" | "deny", reason: string) => {
    if (item?.status !== "requested" || pending) return;
    decide([item], { decision, ...(reason === "" ? {} : { reason }) });
    goOn(new Set([item.id]));
  };
  const decideMarked = (decision: "approve" | "deny") => setBulk({ decision, items: marks.marked });
  const onBulkDecided = (reason: string) => {
    if (!bulk) return;
    decide(bulk.items, { decision: bulk.decision, ...(reason === "" ? {} : { reason }) });
    marks.clear();
    goOn(new Set(bulk.items.map(({ id }) => id)));
  };
  const closeBulk = () => {
    setBulk(null);
    focus(...(item ? [itemLinkId(item.id), TITLE_ID] : []), HEADING_ID);
  };

  const moveTo = (by: number) => {
    const next = lookAt(index + by);
    if (next) focus(itemLinkId(next.id), TITLE_ID);
  };
  // The target of a shortcut. Deciding it again would send the decision, so it is not the same approval.
  const about = marking ? marks.marked.map(({ id }) => id).join(" ") : item && `${item.id}${pending ? " pending" : ""}`;
  useShortcuts({
    ...listMoves(moveTo),
    mark: () => {
      if (waits && !pending) marks.toggle(item.id);
    },
    approve: {
      about,
      act: () => {
        if (marking) decideMarked("approve");
        else if (pending) sendNow(pending.id);
        else if (item?.cause === "interrupted") focus(APPROVE_ID);
        else document.getElementById(APPROVE_ID)?.click();
      },
    },
    deny: { about, act: () => (marking ? decideMarked("deny") : document.getElementById(DENY_ID)?.click()) },
    edit: () => {
      const isInterrupted = item?.cause === "interrupted";
      if (waits && !pending && !marking && (isInterrupted || !item.approvals))
        onForm(isInterrupted ? "result" : "edit");
    },
    open: ({ target }) => {
      // Enter belongs to the focused control.
      if (!(target instanceof Element) || target.closest("[data-item]") === null) return false;
      focus(TITLE_ID);
    },
    studio: () => document.getElementById(STUDIO_LINK_ID)?.click(),
    close: back,
  });

  return (
    <>
      <main id="main" tabIndex={-1} className="grid min-h-0 grid-rows-[auto_minmax(0,1fr)_auto] outline-none">
        <h1 className="sr-only">{t("title")}</h1>
        <OfflineBanner />
        <div className="inbox-panes row-start-2" data-opened={place.selected !== null || undefined}>
          <ListPane
            status={place.status}
            query={query}
            live={live}
            items={items}
            shown={item?.id ?? null}
            total={total}
            marks={marks}
            pending={decisions.pending}
            onShow={show}
            onSelect={onSelect}
          />
          <section aria-label={t("detail")} className="detail-pane">
            {item && (
              <ItemPane
                item={item}
                index={index}
                total={total}
                others={items.filter((other) => other !== item && isBeside(other, item)).length}
                decisions={decisions}
                held={held === item.id}
                pending={pending ?? null}
                marking={marking}
                onDecide={decideItem}
                form={form?.id === item.id ? form.form : null}
                onForm={onForm}
                onMove={(by) => void lookAt(index + by)}
                onBack={back}
              />
            )}
            {!item && place.selected !== null && !query.isPending && <NoItem onBack={() => select(null)} />}
          </section>
        </div>
        {marking && <BulkBar count={marks.marked.length} onDecide={decideMarked} onClear={marks.clear} />}
        {bulk && <BulkDialog {...bulk} onSubmit={onBulkDecided} onClose={closeBulk} />}
      </main>
      <InboxFoot status={place.status} shown={items.length} total={total} />
    </>
  );
}

/** Whether another approval of the same conversation is pending. */
function isBeside(other: ListedConfirmation, item: ListedConfirmation): boolean {
  return other.conversation_id === item.conversation_id && other.status === "requested";
}

interface InboxFootProps {
  status: Status;
  shown: number;
  /** The total; null while unknown. */
  total: number | null;
}

/** The footer: keyboard shortcuts, and how many approvals are loaded. */
function InboxFoot({ status, shown, total }: InboxFootProps) {
  const t = useTranslations("approvals");
  return (
    <ShortcutFooter page="approvals" reads={status !== "requested"}>
      {total === null ? t("shown", { shown }) : t("shownOf", { shown, total })}
    </ShortcutFooter>
  );
}

/** A click or key within this time, ms, was meant for the previous approval. */
const HELD_FOR = 500;

/**
 * The approval that was selected automatically, and its setter: for a moment it cannot be decided, so that no decision
 * is made by mistake.
 */
function useHeld(): [string | null, (id: string) => void] {
  const [held, setHeld] = useState<string | null>(null);
  // The outside system is the clock.
  useEffect(() => {
    if (held === null) return;
    const timer = setTimeout(() => setHeld(null), HELD_FOR);
    return () => clearTimeout(timer);
  }, [held]);
  return [held, setHeld];
}
