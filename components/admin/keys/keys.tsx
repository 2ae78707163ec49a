"use client";

import { useTranslations } from "next-intl";
import { useState } from "react";
import { actorName } from "@/components/agents/actor-name.ts";
import { Refusal } from "@/components/decision/refusal.tsx";
import { AgoTime, useNow } from "@/components/list/now.tsx";
import { Moment } from "@/components/memory/moment.tsx";
import { Button } from "@/components/ui/button.tsx";
import { EmptyState } from "@/components/ui/empty-state.tsx";
import { Icon } from "@/components/ui/icon.tsx";
import type { ApiKey } from "@/lib/api/shapes.ts";
import { AdminFrame } from "../admin-frame.tsx";
import { Failed } from "../failed.tsx";
import { FormDialog } from "../form-dialog.tsx";
import { TABLE, TABLE_CELL, TABLE_HEAD, TABLE_PLACE } from "../table.ts";
import { type KeyStatus, keyStatusOf, validFirst } from "./key-status.ts";
import { MakeKey } from "./make-key.tsx";
import { useKeys, useRevokeKey } from "./use-keys.ts";

/** The API keys with their scopes and last use. `required`: the server accepts no request without a key. */
export function Keys({ required }: { required: boolean }) {
  const t = useTranslations("admin.keys");
  const keys = useKeys();
  const now = useNow();
  const [making, setMaking] = useState(false);
  const [revoked, setRevoked] = useState<ApiKey | null>(null);
  const make = (
    <Button variant="primary" data-command="" onClick={() => setMaking(true)} className="h-8! phone:h-11! px-3!">
      <Icon name="plus" size={14} />
      {t("make")}
    </Button>
  );
  const isEmpty = keys.data?.length === 0;
  return (
    <AdminFrame
      current="keys"
      title={t("title")}
      intro={required ? t("intro") : t("introOff")}
      actions={isEmpty ? undefined : make}
    >
      <Failed error={keys.error} onRetry={() => void keys.refetch()} />
      {isEmpty && (
        <EmptyState icon="key" title={t("none.title")} actions={make} className="mx-0! px-0!">
          {t("none.text")}
        </EmptyState>
      )}
      {keys.data && !isEmpty && <KeyTable keys={validFirst(keys.data, now)} now={now} onRevoke={setRevoked} />}
      {making && <MakeKey onClose={() => setMaking(false)} />}
      {revoked && <RevokeKey of={revoked} onClose={() => setRevoked(null)} />}
    </AdminFrame>
  );
}

interface KeyTableProps {
  keys: readonly ApiKey[];
  now: number;
  onRevoke: (key: ApiKey) => void;
}

function KeyTable({ keys, now, onRevoke }: KeyTableProps) {
  const t = useTranslations("admin.keys.columns");
  return (
    <div className={TABLE_PLACE}>
      <table className={TABLE}>
        <thead>
          <tr>
            <th className={TABLE_HEAD}>{t("name")}</th>
            <th className={`${TABLE_HEAD} max-md:hidden`}>{t("key")}</th>
            <th className={TABLE_HEAD}>{t("scopes")}</th>
            <th className={`${TABLE_HEAD} max-md:hidden`}>{t("made")}</th>
            <th className={`${TABLE_HEAD} max-md:hidden`}>{t("expires")}</th>
            <th className={TABLE_HEAD}>{t("used")}</th>
            <th className={TABLE_HEAD}>
              <span className="sr-only">{t("actions")}</span>
            </th>
          </tr>
        </thead>
        <tbody>
          {keys.map((key) => (
            <KeyRow key={key.id} of={key} standing={keyStatusOf(key, now)} onRevoke={onRevoke} />
          ))}
        </tbody>
      </table>
    </div>
  );
}

interface KeyRowProps {
  of: ApiKey;
  standing: KeyStatus;
  onRevoke: (key: ApiKey) => void;
}

function KeyRow({ of: key, standing, onRevoke }: KeyRowProps) {
  const t = useTranslations("admin.keys");
  const isOver = standing !== "valid";
  return (
    <tr data-standing={standing} className={`hover:bg-hover ${isOver ? "text-fg-3" : ""}`}>
      <th
        scope="row"
        className={`${TABLE_CELL} min-w-30 text-13 wrap-anywhere ${isOver ? "font-normal line-through" : "font-medium"}`}
      >
        {key.name}
      </th>
      <td className={`${TABLE_CELL} font-mono text-11 whitespace-nowrap max-md:hidden`}>{key.shown}…</td>
      <td className={TABLE_CELL}>
        <span className="flex flex-wrap gap-1 py-1">
          {key.scopes.map((scope) => (
            <code key={scope} className="rounded-1 bg-sunken px-1.25 py-0.25 font-mono text-11">
              {scope}
            </code>
          ))}
        </span>
      </td>
      <td className={`${TABLE_CELL} whitespace-nowrap tabular-nums max-md:hidden`}>
        <AgoTime at={key.created_at} />
        <span className="block max-w-40 truncate text-11 text-fg-3">
          {t("by", { name: actorName(key.created_by) })}
        </span>
      </td>
      <td className={`${TABLE_CELL} whitespace-nowrap tabular-nums max-md:hidden`}>
        {key.expires_at === null ? t("never") : <Moment at={key.expires_at} />}
      </td>
      <td className={`${TABLE_CELL} whitespace-nowrap tabular-nums`}>
        {key.used_at === null ? t("unused") : <AgoTime at={key.used_at} />}
      </td>
      <td className={`${TABLE_CELL} text-right whitespace-nowrap`}>
        {key.revoked_at !== null ? (
          <>
            {t("revoked")}
            <span className="block text-11">
              <AgoTime at={key.revoked_at} />
            </span>
          </>
        ) : standing === "expired" ? (
          t("expired")
        ) : (
          <Button
            variant="ghost"
            aria-label={t("revoke.open", { name: key.name })}
            onClick={() => onRevoke(key)}
            className="text-st-failed"
          >
            {t("revoke.word")}
          </Button>
        )}
      </td>
    </tr>
  );
}

/** Confirms revoking a key. */
function RevokeKey({ of: { id, name }, onClose }: { of: ApiKey; onClose: () => void }) {
  const t = useTranslations("admin.keys.revoke");
  const revoke = useRevokeKey();
  return (
    <FormDialog
      title={t("open", { name })}
      submit={t("word")}
      leave={t("keep")}
      danger
      busy={revoke.isPending}
      onSubmit={() => revoke.mutate(id, { onSuccess: onClose })}
      onClose={onClose}
    >
      <p className="text-pretty text-13 leading-[var(--lh-body)]">{t("what")}</p>
      <Refusal error={revoke.error} />
    </FormDialog>
  );
}
