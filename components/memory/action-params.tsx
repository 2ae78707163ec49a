import { useTranslations } from "next-intl";
import type { ReactNode } from "react";
import { JsonTree } from "@/components/inspector/json-tree.tsx";
import type { JsonObject } from "@/lib/session/json/json.ts";

interface ActionParamsProps {
  method: string;
  params: JsonObject;
  /** Other names of the action. */
  aside?: ReactNode;
}

/** An action's method, and its parameters on request. */
export function ActionParams({ method, params, aside }: ActionParamsProps) {
  const t = useTranslations("memory");
  return (
    <details className="group/params">
      <summary
        title={t("params")}
        className="flex min-h-6 list-none items-center gap-2 font-mono text-11 text-fg-3 group-open/params:text-fg hover:text-fg [&::-webkit-details-marker]:hidden"
      >
        <span aria-hidden className="transition-transform group-open/params:rotate-90">
          ›
        </span>
        <span className="min-w-0 truncate">{method}</span>
        {aside && <span className="ml-auto min-w-0 truncate">{aside}</span>}
      </summary>
      <JsonTree label={t("params")} value={params} className="-mx-2 max-h-60" />
    </details>
  );
}
