import { useTranslations } from "next-intl";
import { useMemo } from "react";
import { useStudio } from "@/components/studio/use-studio.ts";

/** Whether the step changed the memory; where it did not, the way to the step that did last. */
export function LastChange() {
  const t = useTranslations("memory");
  const at = useStudio((state) => state.session.at);
  const timeline = useStudio((state) => state.timeline);
  const jump = useStudio((state) => state.jump);
  const last = useMemo(
    () => timeline?.findLast(({ seq, type }) => seq <= at && type === "memory.updated")?.seq ?? null,
    [timeline, at],
  );
  return (
    <p className="flex min-h-7.5 phone:min-h-11 flex-none items-center gap-1.5 border-line border-b px-4 text-11 text-fg-3">
      {last === at ? (
        t("changedHere")
      ) : (
        <>
          {timeline && t("unchanged")}
          {last !== null && (
            <button
              type="button"
              onClick={() => jump(last)}
              className="min-h-6 text-fg-2 underline decoration-line-control underline-offset-3 hover:text-fg"
            >
              {t("lastChange", { step: last })}
            </button>
          )}
        </>
      )}
    </p>
  );
}
