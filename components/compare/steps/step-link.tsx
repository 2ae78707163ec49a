import Link from "next/link";
import { useTranslations } from "next-intl";

interface StepLinkProps {
  id: string | null;
  seq: number;
  /** The step alone, where there is no room for words. */
  bare?: boolean;
}

/** Opens a session in the studio at a step. */
export function StepLink({ id, seq, bare = false }: StepLinkProps) {
  const t = useTranslations("compare");
  return (
    <Link
      href={`/conversations/${encodeURIComponent(id ?? "")}?at=${seq}`}
      title={t("openAt", { step: seq })}
      className="rounded-1 text-fg-3 tabular-nums hover:text-accent hover:underline"
    >
      {bare ? seq : t("step", { step: seq })}
    </Link>
  );
}
