"use client";

import { useTranslations } from "next-intl";
import { useState } from "react";
import type { Fault } from "../render-request.ts";
import { FaultText, faultId } from "./fault-text.tsx";
import { Field } from "./field.tsx";

const LIST_ID = "prompt-zones";

interface ZoneFieldProps {
  value: string | null;
  faults: readonly Fault[];
  onChange: (zone: string | null) => void;
}

/** The user's time zone. It is applied when valid, or on blur: an incomplete name is no error. */
export function ZoneField({ value, faults, onChange }: ZoneFieldProps) {
  const t = useTranslations("workbench.settings");
  const [text, setText] = useState(value ?? "");
  const [seen, setSeen] = useState(value);
  const [zones, setZones] = useState<readonly string[]>([]);

  // Another conversation has another time zone.
  if (value !== seen) {
    setSeen(value);
    setText(value ?? "");
  }
  const take = () => onChange(text.trim() || null);
  return (
    <>
      <Field
        label={t("timezone")}
        list={LIST_ID}
        placeholder={t("zoneAsUser")}
        value={text}
        invalid={faults.some(({ field }) => field === "timezone") ? faultId("timezone") : null}
        onFocus={() => setZones(Intl.supportedValuesOf("timeZone"))}
        onChange={(next) => {
          setText(next);
          if (next === "" || zones.includes(next)) onChange(next || null);
        }}
        onBlur={take}
        onKeyDown={(event) => event.key === "Enter" && take()}
      />
      <datalist id={LIST_ID}>
        {zones.map((zone) => (
          <option key={zone} value={zone} />
        ))}
      </datalist>
      <FaultText field="timezone" faults={faults} />
    </>
  );
}
