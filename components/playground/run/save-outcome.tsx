"use client";

import { useTranslations } from "next-intl";
import { ApiProblem } from "@/components/client/api.ts";
import type { SaveDelegate } from "./use-save-delegate.ts";

/** The result of saving: how to use the delegate, or the errors. */
export function SaveOutcome({ save }: { save: SaveDelegate }) {
  const t = useTranslations("playground.save");
  if (save.isSuccess)
    return (
      <p role="status" className="text-pretty text-st-succeeded">
        {t.rich("saved", {
          property: () => <code className="font-mono text-11">{`"_delegate": "${save.variables.name}"`}</code>,
        })}
      </p>
    );
  if (!save.error) return null;
  const { error } = save;
  if (!(error instanceof ApiProblem))
    return (
      <p role="alert" className="text-pretty text-st-failed">
        {t("unreachable")}
      </p>
    );
  return (
    <div role="alert" className="text-st-failed">
      <p className="text-pretty wrap-anywhere">{error.message}</p>
      {error.errors.length > 0 && (
        <ul className="pt-1 text-11">
          {error.errors.map(({ path, message }) => (
            <li key={`${path} ${message}`} className="wrap-anywhere">
              <code className="font-mono">{path}</code> {message}
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}
