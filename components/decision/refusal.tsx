"use client";

import { useTranslations } from "next-intl";
import { ApiProblem } from "@/components/client/api.ts";

/** The server's error about a decision. */
export function Refusal({ error }: { error: Error | null }) {
  const t = useTranslations("decision");
  if (!error) return null;
  const faults = error instanceof ApiProblem ? error.errors : [];
  return (
    <div role="alert" className="mt-1.5 text-st-failed wrap-anywhere">
      <p className="text-pretty">{error instanceof ApiProblem ? error.message : t("unreachable")}</p>
      {faults.length > 0 && (
        <ul>
          {faults.map(({ path, message }) => (
            <li key={`${path} ${message}`}>
              <code className="font-mono text-11">{path}</code> {message}
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}
