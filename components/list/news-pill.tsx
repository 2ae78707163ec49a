import { useTranslations } from "next-intl";
import { Icon } from "@/components/ui/icon.tsx";

/** Tells that conversations wait above, and goes there. */
export function NewsPill({ count, onShow }: { count: number; onShow: () => void }) {
  const t = useTranslations("list");
  return (
    <div role="status" className="pointer-events-none absolute inset-x-0 top-8 z-2 flex justify-center">
      {count > 0 && (
        <button
          type="button"
          onClick={onShow}
          className="pointer-events-auto inline-flex h-7 items-center gap-1.5 rounded-full border border-line-strong bg-raised pr-3 pl-2 font-medium shadow-2 hover:bg-hover focus-visible:rounded-full"
        >
          <Icon name="up" size={14} />
          {t("new", { count })}
        </button>
      )}
    </div>
  );
}
