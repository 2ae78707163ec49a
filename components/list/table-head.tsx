import { useTranslations } from "next-intl";

/** The sticky table head. */
export function TableHead({ isScored, isQueue }: { isScored: boolean; isQueue: boolean }) {
  const t = useTranslations("list.columns");
  return (
    <thead className="sticky top-0 z-1 block phone:sr-only">
      <tr className="list-grid h-6.5 border-line border-b bg-canvas text-left text-11 text-fg-3 [&>th]:truncate [&>th]:font-normal">
        <th scope="col">
          <span className="sr-only">{t("mark")}</span>
        </th>
        <th scope="col">
          <span className="narrow:sr-only">{t("status")}</span>
        </th>
        <th scope="col">
          <span className="sr-only">{t("channel")}</span>
        </th>
        <th scope="col">{t("conversation")}</th>
        {isQueue ? (
          <>
            <th scope="col" className="middling">
              {t("owner")}
            </th>
            <th scope="col" className="middling">
              {t("tags")}
            </th>
            <th scope="col" className="text-right">
              {t("due")}
            </th>
          </>
        ) : (
          <>
            <th scope="col" className="middling">
              {t("user")}
            </th>
            <th scope="col" className="middling">
              {t("agent")}
            </th>
            <th scope="col" className="minor">
              {t("stage")}
            </th>
            {isScored && (
              <th scope="col" className="middling">
                {t("score")}
              </th>
            )}
            <th scope="col" className="middling">
              {t("activity")}
            </th>
            <th scope="col" className="minor text-right">
              {t("messages")}
            </th>
            <th scope="col" className="middling text-right">
              {t("calls")}
            </th>
          </>
        )}
        <th scope="col" aria-sort="descending" className="text-right">
          {t("active")} <span aria-hidden>↓</span>
        </th>
      </tr>
    </thead>
  );
}
