"use client";

import { useTranslations } from "next-intl";
import { ApiProblem } from "@/components/client/api.ts";

/** Why saving failed: the server's message and the invalid fields. */
export function SaveError({ error }: { error: Error | null }) {
  const t = useTranslations("agents.write");
  if (!error) return null;
  const faults = error instanceof ApiProblem ? error.errors : [];
  return (
    <div role="alert" className="text-st-failed wrap-anywhere">
      <p className="text-pretty">{error instanceof ApiProblem ? error.message : t("unreachable")}</p>
      {faults.length > 0 && (
        <ul className="mt-1">
          {faults.map(({ path, message }) => (
            <li key={`${path} ${message}`}>
              <code className="font-mono text-11 font-semibold">{path || "/"}</code> {message}
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}
