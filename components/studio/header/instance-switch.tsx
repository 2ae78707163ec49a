"use client";

import { useTranslations } from "next-intl";
import { Fragment } from "react";
import { Icon } from "@/components/ui/icon.tsx";
import { Menu, MenuItem, MenuSeparator } from "@/components/ui/menu.tsx";
import { Segmented } from "@/components/ui/segmented.tsx";
import { type ShownCallStatus, STATUS, STATUS_INK } from "@/components/ui/status.ts";
import { StatusIcon } from "@/components/ui/status-icon.tsx";
import { callsOf } from "../../selection/resolve-selection.ts";
import { useResolvedSelection } from "../../selection/use-resolved-selection.ts";
import { useSelection } from "../../selection/use-selection.ts";
import { useStudio } from "../use-studio.ts";
import { countStatuses, instanceStatuses, isPressing } from "./instance-status.ts";
import { PICK } from "./run-menu.tsx";

/** More instances do not fit the header, and are in a menu. */
const SIDE_BY_SIDE = 4;

/** Selects an instance; each is shown with its status. */
export function InstanceSwitch() {
  const t = useTranslations("studio.instances");
  const session = useStudio((state) => state.session);
  const { run, instances, instance } = useResolvedSelection(session);
  const [, select] = useSelection();
  if (instances.length < 2) return null;
  const statuses = instanceStatuses(callsOf(session, run, ""), instances);
  const label = (name: string) => <InstanceLabel name={name} status={statuses.get(name) ?? "planned"} />;
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
  const pressing = instances.filter((name) => isPressing(statuses.get(name) ?? "planned"));
  const others = instances.filter((name) => !pressing.includes(name));
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
          <Counts counts={countStatuses(statuses.values())} />
          <Icon name="down" size={12} />
        </>
      }
    >
      {[pressing, others].map((group, index) => (
        <Fragment key={index === 0 ? "pressing" : "others"}>
          {index > 0 && pressing.length > 0 && others.length > 0 && <MenuSeparator />}
          {group.map((name) => (
            <MenuItem key={name} checked={name === instance} onSelect={() => choose(name)}>
              {label(name)}
            </MenuItem>
          ))}
        </Fragment>
      ))}
    </Menu>
  );
}

/** The number of instances by status. */
function Counts({ counts }: { counts: readonly [ShownCallStatus, number][] }) {
  const t = useTranslations("events.call_status");
  return (
    <span className="flex gap-1.5 border-line border-l pl-1.5 tabular-nums">
      {counts.map(([status, count]) => (
        <span
          key={status}
          className={`inline-flex items-center gap-0.5 ${STATUS_INK[STATUS[status].token]} ${isPressing(status) ? "" : "narrow:hidden"}`}
        >
          <StatusIcon status={status} size={12} label={t(status)} />
          {count}
        </span>
      ))}
    </span>
  );
}

function InstanceLabel({ name, status }: { name: string; status: ShownCallStatus }) {
  const t = useTranslations("events.call_status");
  return (
    <>
      <span className="max-w-30 truncate">{name}</span>
      <StatusIcon status={status} size={14} label={t(status)} />
    </>
  );
}
