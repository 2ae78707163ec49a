"use client";

import { useTranslations } from "next-intl";
import { addressOf } from "@/components/compare/place.ts";
import { useWords } from "@/components/overview/use-words.ts";
import { Link } from "@/components/ui/link.tsx";
import type { ComparedVersions } from "@/lib/api/shapes.ts";

type Compared = NonNullable<ComparedVersions["compared"]>;

/** The conversations of the new version that the one before hardly ever had, each beside a usual one to compare it with. */
export function Differing({ compared: { differing, versions } }: { compared: Compared }) {
  const t = useTranslations("overview.versions");
  const words = useWords();
  return (
    <section className="tool-table versions-differing" aria-label={t("differing")} tabIndex={0}>
      <div className="where-head">
        <h2>{t("differing")}</h2>
        <p>{differing.length === 0 ? t("none_differs", versions) : t("differing_text", versions)}</p>
      </div>
      {differing.length > 0 && (
        <table>
          <thead>
            <tr>
              <th scope="col">{t("conversation")}</th>
              <th scope="col">{t("why")}</th>
              <th scope="col">{t("longest")}</th>
              <th scope="col">{t("tokens")}</th>
              <th scope="col">{t("beside")}</th>
            </tr>
          </thead>
          <tbody>
            {differing.map(({ conversation, unusual, longest, tokens, beside }) => (
              <tr key={conversation.id}>
                <th scope="row">
                  <Link href={`/conversations/${encodeURIComponent(conversation.id)}`}>
                    {conversation.name ?? conversation.id}
                  </Link>
                </th>
                <td>{unusual.map((one) => t(`unusual.${one}`)).join(", ")}</td>
                <td>{words.duration(longest)}</td>
                <td>{words.number(tokens)}</td>
                <td>
                  {beside && (
                    <Link href={addressOf({ a: beside.id, b: conversation.id })}>{beside.name ?? beside.id}</Link>
                  )}
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
    </section>
  );
}
