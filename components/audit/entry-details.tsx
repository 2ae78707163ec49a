"use client";

import { useFormatter, useTranslations } from "next-intl";
import type { ReactNode } from "react";
import { Link } from "@/components/ui/link.tsx";
import type { AuditEntry } from "@/lib/api/shapes.ts";
import { changesOf, NOTHING } from "./changes.ts";
import { conversationHref } from "./target.ts";

/** All fields of an audit entry. */
export function EntryDetails({ entry }: { entry: AuditEntry }) {
  const t = useTranslations("audit.details");
  const format = useFormatter();
  const changes = changesOf(entry);
  return (
    <div className="grid gap-x-8 gap-y-3 py-3 pr-3 pl-8 text-12 md:grid-cols-2">
      <dl className="grid content-start grid-cols-[max-content_minmax(0,1fr)] gap-x-4 gap-y-1">
        <Fact name={t("at")}>
          {format.dateTime(new Date(entry.at), { dateStyle: "full", timeStyle: "long", hour12: false })}
        </Fact>
        <Fact name={t("actor")} mono>
          {entry.actor}
        </Fact>
        <Fact name={t("action")} mono>
          {entry.action}
        </Fact>
        {entry.target !== null && (
          <Fact name={t("target")} mono>
            {entry.target}{" "}
            <Link
              href={`?${new URLSearchParams({ target: entry.target })}`}
              className="rounded-1 font-sans text-accent whitespace-nowrap hover:underline"
            >
              {t("all")}
            </Link>
          </Fact>
        )}
        <Fact name={t("address")} mono>
          {entry.address}
        </Fact>
        <Fact name={t("request")} mono>
          {entry.request_id}
        </Fact>
      </dl>
      {entry.erased ? (
        <p className="text-fg-3">{t("erased")}</p>
      ) : (
        changes.length > 0 && (
          <table className="w-full border-collapse self-start text-left">
            <thead>
              <tr className="text-11 text-fg-3 [&>th]:border-line [&>th]:border-b [&>th]:pr-4 [&>th]:pb-1 [&>th]:font-normal">
                <th scope="col">{t("field")}</th>
                {entry.before && <th scope="col">{t("before")}</th>}
                {entry.after && <th scope="col">{t("after")}</th>}
              </tr>
            </thead>
            <tbody className="[&_td]:pt-1 [&_td]:pr-4 [&_td]:align-top [&_td]:font-mono [&_td]:text-11 [&_td]:wrap-anywhere">
              {changes.map(({ name, before, after }) => (
                <tr key={name}>
                  <th scope="row" className="pt-1 pr-4 align-top font-mono text-11 font-normal text-fg-2">
                    {name}
                  </th>
                  {entry.before && <td>{before}</td>}
                  {entry.after && (
                    <td>
                      {name === "conversation_id" && after !== null && after !== NOTHING ? (
                        <Link href={conversationHref(after)} className="rounded-1 text-accent hover:underline">
                          {after}
                        </Link>
                      ) : (
                        after
                      )}
                    </td>
                  )}
                </tr>
              ))}
            </tbody>
          </table>
        )
      )}
    </div>
  );
}

function Fact({ name, mono = false, children }: { name: string; mono?: boolean; children: ReactNode }) {
  return (
    <>
      <dt className="text-fg-3">{name}</dt>
      <dd className={`wrap-anywhere ${mono ? "font-mono text-11 leading-[inherit]" : ""}`}>{children}</dd>
    </>
  );
}
