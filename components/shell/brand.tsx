import { useTranslations } from "next-intl";
import { Link } from "@/components/ui/link.tsx";
import { Mark } from "./mark.tsx";

/** The logo, which links to the list. */
export function Brand({ named = true }: { named?: boolean }) {
  const t = useTranslations("common.nav");
  return (
    <Link href="/" aria-label={t("home")} className="flex items-center gap-2 rounded-2 phone:min-h-11 phone:min-w-11">
      <Mark />
      {named && <span className="text-13 font-semibold tracking-[-0.01em]">Obelus</span>}
    </Link>
  );
}
