import { useTranslations } from "next-intl";
import type { MemoryDocument } from "@/lib/memory/document.ts";
import type { Json } from "@/lib/session/json/json.ts";
import { markRecord } from "./marks.ts";
import { Entry } from "./section.tsx";

/** The objects that the rules define, in order (M2). */
const KNOWN = ["current_deal_id", "current_contact_id", "current_company_id", "current_task_id"] as const;

interface ObjectsProps {
  document: MemoryDocument;
  before: MemoryDocument | null;
}

/** The current objects of the conversation, by id (M5). */
export function Objects({ document, before }: ObjectsProps) {
  const t = useTranslations("memory");
  const rows = markRecord<Json | undefined>(before?.objects ?? null, document.objects);
  const nameOf = (key: string) => {
    const known = KNOWN.find((one) => one === key);
    return known ? t(`object.${known}`) : key;
  };
  return (
    <section aria-label={t("objects")} className="border-line border-b px-4 py-2">
      <h3 className="flex min-h-5 items-center font-semibold">{t("objects")}</h3>
      <ul className="-mx-2 mt-0.5">
        {rows.map(([key, { entry, mark }]) => {
          const old = before && mark === "change" ? before.objects[key] : undefined;
          return (
            <Entry key={key} mark={mark}>
              <span className="grid grid-cols-[88px_minmax(0,1fr)] items-baseline gap-x-2">
                <span className="truncate text-fg-3">{nameOf(key)}</span>
                <span className="font-mono text-11 wrap-anywhere tabular-nums">
                  {old !== undefined && (
                    <>
                      <del className="text-fg-3">{printId(old)}</del>
                      <span className="text-fg-3"> → </span>
                    </>
                  )}
                  {entry === null ? <span className="text-fg-3">–</span> : printId(entry)}
                </span>
              </span>
            </Entry>
          );
        })}
      </ul>
    </section>
  );
}

function printId(id: Json | undefined): string {
  return id === null || id === undefined ? "–" : typeof id === "string" ? id : JSON.stringify(id);
}
