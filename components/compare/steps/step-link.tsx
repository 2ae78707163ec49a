import { useTranslations } from "next-intl";
import { Link } from "@/components/ui/link.tsx";

interface StepLinkProps {
  id: string | null;
  seq: number;
  /** Only the step's number, in narrow columns. */
  bare?: boolean;
}

/** A link to a step in the studio. */
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
