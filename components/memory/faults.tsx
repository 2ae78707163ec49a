import { useTranslations } from "next-intl";
import type { DocumentFault } from "@/lib/memory/file/document-fault.ts";

/** The most errors that are shown. */
const SHOWN = 12;

/** Why a value is not a valid memory, path by path. */
export function Faults({ faults }: { faults: readonly DocumentFault[] }) {
  const t = useTranslations("memory");
  return (
    <ul className="mt-1 max-h-40 overflow-y-auto">
      {faults.slice(0, SHOWN).map(({ path, code }) => (
        <li key={`${path} ${code}`} className="wrap-anywhere">
          <code className="font-mono text-11 font-semibold">{path || "/"}</code> {t(`fault.${code}`)}
        </li>
      ))}
      {faults.length > SHOWN && <li>{t("moreFaults", { count: faults.length - SHOWN })}</li>}
    </ul>
  );
}
