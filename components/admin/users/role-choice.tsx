"use client";

import { useTranslations } from "next-intl";
import { ROLES, type Role } from "@/lib/access/caller.ts";

/** A choice of role with what each role allows. Its form field is `role`. */
export function RoleChoice({ initial, isAlone = false }: { initial: Role; isAlone?: boolean }) {
  const t = useTranslations("admin.users");
  const roles = useTranslations("access.roles");
  return (
    <fieldset className="flex flex-col gap-1">
      <legend className={isAlone ? "sr-only" : "pb-1 text-11 text-fg-3"}>{t("columns.role")}</legend>
      {ROLES.map((role) => (
        <label
          key={role}
          className="flex cursor-pointer items-start gap-2 rounded-2 px-1.5 py-1 hover:bg-hover has-checked:bg-active"
        >
          <input
            type="radio"
            name="role"
            value={role}
            defaultChecked={role === initial}
            className="mt-0.5 accent-accent"
          />
          <span>
            <span className="block font-medium">{roles(role)}</span>
            <span className="block text-11 text-pretty text-fg-3">{t(`roles.${role}`)}</span>
          </span>
        </label>
      ))}
    </fieldset>
  );
}

/** The role in a form's data. */
export function roleFrom(data: FormData, otherwise: Role): Role {
  return ROLES.find((role) => role === data.get("role")) ?? otherwise;
}
