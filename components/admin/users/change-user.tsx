"use client";

import { useTranslations } from "next-intl";
import { useState } from "react";
import { useCaller } from "@/components/access/caller-provider.tsx";
import { Refusal } from "@/components/decision/refusal.tsx";
import { passwordFault } from "@/lib/access/rules.ts";
import type { User } from "@/lib/api/shapes.ts";
import { FormDialog } from "../form-dialog.tsx";
import { FirstPassword } from "./first-password.tsx";
import { RoleChoice, roleFrom } from "./role-choice.tsx";
import { useChangeUsers } from "./use-users.ts";

interface ChangeUserProps {
  user: User;
  onDone: (said: string) => void;
  onClose: () => void;
}

/** Changes a user's role, which signs them out. */
export function ChangeRole({ user, onDone, onClose }: ChangeUserProps) {
  const t = useTranslations("admin.users");
  const { name } = user;
  const change = useChangeUsers();
  const submit = (data: FormData) => {
    const role = roleFrom(data, user.role);
    if (role === user.role) return onClose();
    change.mutate({ kind: "role", id: user.id, role }, { onSuccess: () => onDone(t("role.done", { name })) });
  };
  return (
    <FormDialog
      title={t("role.title", { name })}
      submit={t("role.submit")}
      leave={t("cancel")}
      busy={change.isPending}
      onSubmit={submit}
      onClose={onClose}
    >
      <RoleChoice initial={user.role} isAlone />
      <SignedOutByIt user={user} />
      <Refusal error={change.error} />
    </FormDialog>
  );
}

/** Sets a user's password. */
export function SetPassword({ user, onDone, onClose }: ChangeUserProps) {
  const t = useTranslations("admin.users");
  const { name } = user;
  const change = useChangeUsers();
  const [fault, setFault] = useState(false);
  const submit = (data: FormData) => {
    const password = String(data.get("password"));
    const isBad = passwordFault(password) !== null;
    setFault(isBad);
    if (isBad) return;
    change.mutate(
      { kind: "password", id: user.id, password },
      { onSuccess: () => onDone(t("password.done", { name })) },
    );
  };
  return (
    <FormDialog
      title={t("password.title", { name })}
      submit={t("password.submit")}
      leave={t("cancel")}
      busy={change.isPending}
      onSubmit={submit}
      onClose={onClose}
    >
      <FirstPassword fault={fault} />
      <SignedOutByIt user={user} />
      <Refusal error={change.error} />
    </FormDialog>
  );
}

/** Removes a user. Their actions stay in the log and in the audit log. */
export function RemoveUser({ user, onDone, onClose }: ChangeUserProps) {
  const t = useTranslations("admin.users");
  const { name } = user;
  const change = useChangeUsers();
  return (
    <FormDialog
      title={t("remove.title", { name })}
      submit={t("remove.submit")}
      leave={t("cancel")}
      danger
      busy={change.isPending}
      onSubmit={() =>
        change.mutate({ kind: "remove", id: user.id }, { onSuccess: () => onDone(t("remove.done", { name })) })
      }
      onClose={onClose}
    >
      <p className="text-pretty text-13 leading-[var(--lh-body)]">{t("remove.what")}</p>
      <Refusal error={change.error} />
    </FormDialog>
  );
}

function SignedOutByIt({ user }: { user: User }) {
  const t = useTranslations("admin.users");
  const caller = useCaller();
  const isSelf = caller.kind === "person" && caller.id === user.id;
  return <p className="text-pretty text-11 text-fg-3">{isSelf ? t("signedOutSelf") : t("signedOut")}</p>;
}
