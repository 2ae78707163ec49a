"use client";

import { useTranslations } from "next-intl";
import { Icon } from "@/components/ui/icon.tsx";
import { Menu, MenuItem } from "@/components/ui/menu.tsx";
import { Segmented } from "@/components/ui/segmented.tsx";
import { StatusIcon } from "@/components/ui/status-icon.tsx";
import { instanceStatus } from "./instance-status.ts";
import { callsOf } from "./looked-at.ts";
import { PICK } from "./run-menu.tsx";
import { useLookedAt } from "./use-looked-at.ts";
import { useSelection } from "./use-selection.ts";
import { useStudio } from "./use-studio.ts";

/** More than this do not stand side by side in a header. */
const SIDE_BY_SIDE = 4;

/** Which of the plan's instances the studio shows, each with how it is doing. */
export function InstanceSwitch() {
  const t = useTranslations("studio.instances");
  const session = useStudio((state) => state.session);
  const { run, instances, instance } = useLookedAt(session);
  const [, select] = useSelection();
  if (instances.length < 2) return null;
  const label = (name: string) => <InstanceLabel name={name} status={instanceStatus(callsOf(session, run, name))} />;
  const choose = (name: string) => select({ instance: name === instances[0] ? null : name });
  if (instances.length <= SIDE_BY_SIDE)
    return (
      <Segmented
        label={t("label")}
        value={instance}
        options={instances.map((name) => ({ value: name, label: label(name) }))}
        onChange={choose}
      />
    );
  return (
    <Menu
      label={t("label")}
      className={PICK}
      trigger={
        <>
          {label(instance)}
          <span className="text-fg-3 tabular-nums">
            {t("of", { place: instances.indexOf(instance) + 1, count: instances.length })}
          </span>
          <Icon name="down" size={12} />
        </>
      }
    >
      {instances.map((name) => (
        <MenuItem key={name} checked={name === instance} onSelect={() => choose(name)}>
          {label(name)}
        </MenuItem>
      ))}
    </Menu>
  );
}

function InstanceLabel({ name, status }: { name: string; status: ReturnType<typeof instanceStatus> }) {
  const t = useTranslations("events.call_status");
  return (
    <>
      <span className="max-w-30 truncate">{name}</span>
      <StatusIcon status={status} size={14} label={t(status)} />
    </>
  );
}
