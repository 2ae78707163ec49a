"use client";

import { useMutation } from "@tanstack/react-query";
import { useTranslations } from "next-intl";
import { useRef, useState } from "react";
import { ApiProblem, sendApi } from "@/components/client/api.ts";
import { saveFile } from "@/components/client/save-file.ts";
import { Button } from "@/components/ui/button.tsx";
import { Icon } from "@/components/ui/icon.tsx";
import type { AgentStateVersion } from "@/lib/api/shapes.ts";
import { memoryAddress } from "../addresses.ts";
import { useAgentSelection } from "../use-agent-selection.ts";
import { useDraft } from "./drafts.tsx";
import { useValue } from "./use-value.ts";

/** Exports a user's memory as a file (M1), or says why it cannot be exported. */
export function ExportMemory({ user }: { user: string }) {
  const t = useTranslations("agents.file");
  const download = useMutation({
    mutationFn: async () => saveFile(await (await sendApi(memoryAddress(user))).blob(), `${user}.json`),
  });
  return (
    <>
      <Button variant="ghost" title={t("exportWhat")} disabled={download.isPending} onClick={() => download.mutate()}>
        <Icon name="export" />
        <span className="narrow:sr-only">{t("export")}</span>
      </Button>
      {download.error && (
        <span role="alert" className="max-w-80 text-st-failed text-pretty">
          {download.error instanceof ApiProblem ? t("unexportable") : t("unreachable")}
        </span>
      )}
    </>
  );
}

interface ImportMemoryProps {
  agent: string;
  entryKey: string;
  newest: AgentStateVersion | null;
}

/** Imports a file into the editor, where its changes are shown before it is saved. */
export function ImportMemory({ agent, entryKey, newest }: ImportMemoryProps) {
  const t = useTranslations("agents.file");
  const [, select] = useAgentSelection();
  const [, setDraft] = useDraft(agent, entryKey);
  const current = newest && !newest.deleted ? newest : null;
  const value = useValue(agent, entryKey, current?.version ?? null).data?.value;
  const input = useRef<HTMLInputElement>(null);
  const [failed, setFailed] = useState(false);
  const take = async (file: File) => {
    try {
      const text = await file.text();
      setDraft({ base: current && value !== undefined ? { version: current.version, value } : null, text });
      select({ version: null, tab: "edit" });
    } catch {
      setFailed(true);
    }
  };
  return (
    <>
      <Button
        variant="ghost"
        disabled={current !== null && value === undefined}
        title={t("importWhat")}
        onClick={() => input.current?.click()}
      >
        <Icon name="import" />
        <span className="narrow:sr-only">{t("import")}</span>
      </Button>
      <input
        ref={input}
        type="file"
        accept="application/json,.json"
        aria-label={t("importFile")}
        tabIndex={-1}
        className="sr-only"
        onChange={(event) => {
          const file = event.target.files?.[0];
          event.target.value = "";
          setFailed(false);
          if (file) void take(file);
        }}
      />
      {failed && (
        <span role="alert" className="text-st-failed">
          {t("unreadable")}
        </span>
      )}
    </>
  );
}
