"use client";

import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useFormatter, useTranslations } from "next-intl";
import { FormDialog } from "@/components/admin/form-dialog.tsx";
import { callApi, sendApi } from "@/components/client/api.ts";
import { FIELD, Labelled } from "@/components/decision/form.tsx";
import { Refusal } from "@/components/decision/refusal.tsx";
import { useQueue } from "@/components/queue/use-queue.ts";
import { Button } from "@/components/ui/button.tsx";
import type { Absence } from "@/lib/queue/absence.ts";

const ABSENCES_KEY = ["absences"] as const;

/** Says who looks after what is the reader's while they are away, or that they are back. */
export function AbsenceDialog({ onClose }: { onClose: () => void }) {
  const t = useTranslations("access.absence");
  const format = useFormatter();
  const client = useQueryClient();
  const queue = useQueue();
  const me = queue?.me ?? "";
  const { data } = useQuery({
    queryKey: ABSENCES_KEY,
    queryFn: ({ signal }) => callApi<{ items: Absence[] }>("/api/absences", { signal }),
  });
  const mine = data?.items.find(({ name }) => name === me);
  const change = useMutation({
    mutationFn: (body: Omit<Absence, "name"> | null) =>
      sendApi(
        `/api/absences/${encodeURIComponent(me)}`,
        body === null ? { method: "DELETE" } : { method: "PUT", body },
      ),
    onSuccess: () => client.invalidateQueries({ queryKey: ABSENCES_KEY }),
  });

  const submit = (data: FormData) => {
    const time = (name: string, otherwise: number) => {
      const given = new Date(String(data.get(name)));
      return new Date(Number.isNaN(given.getTime()) ? otherwise : given).toISOString();
    };
    const now = Date.now();
    change.mutate({ deputy: String(data.get("deputy")), from: time("from", now), until: time("until", now) });
  };
  const when = (at: string) =>
    format.dateTime(new Date(at), { dateStyle: "medium", timeStyle: "short", hour12: false });
  return (
    <FormDialog
      title={t("title")}
      submit={t("save")}
      leave={t("close")}
      busy={change.isPending || queue === undefined}
      onSubmit={submit}
      onClose={onClose}
    >
      <p className="text-pretty text-fg-2">{t("text")}</p>
      {mine && (
        <div role="status" className="flex flex-wrap items-center gap-2">
          <span className="text-pretty">
            {t("is", { deputy: mine.deputy, from: when(mine.from), until: when(mine.until) })}
          </span>
          <Button disabled={change.isPending} onClick={() => change.mutate(null)}>
            {t("end")}
          </Button>
        </div>
      )}
      <Labelled label={t("deputy")}>
        <select name="deputy" required className={FIELD}>
          {queue?.people
            .filter((name) => name !== me)
            .map((name) => (
              <option key={name}>{name}</option>
            ))}
        </select>
      </Labelled>
      <Labelled label={t("from")}>
        <input name="from" type="datetime-local" className={FIELD} />
      </Labelled>
      <Labelled label={t("until")}>
        <input name="until" type="datetime-local" required className={FIELD} />
      </Labelled>
      <Refusal error={change.error} />
    </FormDialog>
  );
}
