"use client";

import { useTranslations } from "next-intl";
import { useState } from "react";
import { FIELD, Labelled } from "@/components/decision/form.tsx";
import { Refusal } from "@/components/decision/refusal.tsx";
import { nameFault, passwordFault } from "@/lib/access/rules.ts";
import { FormDialog } from "../form-dialog.tsx";
import { FirstPassword } from "./first-password.tsx";
import { RoleChoice, roleFrom } from "./role-choice.tsx";
import { useChangeUsers } from "./use-users.ts";

interface AddUserProps {
  onDone: (said: string) => void;
  onClose: () => void;
}

/** Adds a user with a first password. */
export function AddUser({ onDone, onClose }: AddUserProps) {
  const t = useTranslations("admin.users");
  const add = useChangeUsers();
  const [faults, setFaults] = useState({ name: false, password: false });
  const submit = (data: FormData) => {
    const name = String(data.get("name")).trim();
    const password = String(data.get("password"));
    const found = { name: nameFault(name) !== null, password: passwordFault(password) !== null };
    setFaults(found);
    if (found.name || found.password) return;
    add.mutate(
      { kind: "add", name, password, role: roleFrom(data, "viewer") },
      { onSuccess: () => onDone(t("added", { name })) },
    );
  };
  return (
    <FormDialog
      title={t("add")}
      submit={t("addIt")}
      leave={t("cancel")}
      busy={add.isPending}
      onSubmit={submit}
      onClose={onClose}
    >
      <Labelled label={t("columns.name")} fault={faults.name ? t("nameRule") : undefined}>
        <input
          name="name"
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
          maxLength={64}
          aria-invalid={faults.name || undefined}
          className={FIELD}
        />
      </Labelled>
      <RoleChoice initial="viewer" />
      <FirstPassword fault={faults.password} />
      <Refusal error={add.error} />
    </FormDialog>
  );
}
