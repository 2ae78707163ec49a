"use client";

import { useTranslations } from "next-intl";
import { Segmented } from "@/components/ui/segmented.tsx";
import { LOCALES } from "@/lib/session/locale.ts";
import { LIMITS, type Place, parseCount } from "../place.ts";
import type { AgentSettings, Fault } from "../render-request.ts";
import { FaultText, faultId } from "./fault-text.tsx";
import { Field } from "./field.tsx";
import { ZoneField } from "./zone-field.tsx";

interface SettingsPartProps {
  place: Place;
  /** The defaults. */
  agent: AgentSettings;
  faults: readonly Fault[];
  onChange: (part: Partial<Place>) => void;
}

/** Language, time and limits; empty fields use the server's defaults. */
export function SettingsPart({ place, agent, faults, onChange }: SettingsPartProps) {
  const t = useTranslations("workbench.settings");
  return (
    <section aria-labelledby="settings-title" className="min-h-36 flex-none border-line border-t px-3 pt-2 pb-3">
      <h2 id="settings-title" className="mb-1.5 font-semibold">
        {t("title")}
      </h2>
      <div className="grid grid-cols-3 gap-x-3 gap-y-2 narrow:grid-cols-2">
        <div className="max-md:col-span-2">
          <span aria-hidden className="mb-1 block text-11 text-fg-3">
            {t("locale")}
          </span>
          <Segmented
            label={t("locale")}
            value={place.locale ?? "auto"}
            options={(["auto", ...LOCALES] as const).map((value) => ({ value, label: t(`locales.${value}`) }))}
            onChange={(value) => onChange({ locale: value === "auto" ? null : value })}
          />
        </div>
        <div>
          <ZoneField value={place.timezone} faults={faults} onChange={(timezone) => onChange({ timezone })} />
        </div>
        <div>
          <Field
            label={t("now")}
            type="datetime-local"
            step={1}
            value={place.now?.slice(0, "2026-01-31T12:00:00".length) ?? ""}
            invalid={faults.some(({ field }) => field === "now") ? faultId("now") : null}
            onChange={(value) => onChange({ now: readTime(value) })}
          />
          <FaultText field="now" faults={faults} />
        </div>
        {LIMITS.map((name) => (
          <div key={name}>
            <Field
              label={t(name)}
              inputMode="numeric"
              placeholder={String(agent.limits?.[name] ?? t("unlimited"))}
              value={place[name]?.toString() ?? ""}
              invalid={faults.some(({ field }) => field === name) ? faultId(name) : null}
              onChange={(value) => {
                const typed = parseCount(value);
                if (typed !== null || value === "") onChange({ [name]: typed });
              }}
            />
            <FaultText field={name} faults={faults} />
          </div>
        ))}
      </div>
    </section>
  );
}

/** The field's time is UTC, as `{{currentTime}}` is: the same for everyone who opens the link. */
function readTime(value: string): string | null {
  const time = Date.parse(`${value}Z`);
  return Number.isNaN(time) ? null : new Date(time).toISOString();
}
