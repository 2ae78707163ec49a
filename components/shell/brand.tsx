import Link from "next/link";
import { useTranslations } from "next-intl";
import { Icon } from "@/components/ui/icon.tsx";

/** The mark, which leads to the list. */
export function Brand({ named = true }: { named?: boolean }) {
  const t = useTranslations("common.nav");
  return (
    <Link href="/" aria-label={t("home")} className="flex items-center gap-2 rounded-2">
      <span className="flex size-6 flex-none items-center justify-center rounded-2 bg-fg text-surface">
        <Icon name="obelus" size={14} className="stroke-2" />
      </span>
      {named && <span className="text-13 font-semibold tracking-[-0.01em]">Obelus</span>}
    </Link>
  );
}
