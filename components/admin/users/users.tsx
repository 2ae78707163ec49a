"use client";

import { useTranslations } from "next-intl";
import { useState } from "react";
import { useCaller } from "@/components/access/caller-provider.tsx";
import { CopyField } from "@/components/access/copy-field.tsx";
import { AgoTime } from "@/components/list/now.tsx";
import { Button } from "@/components/ui/button.tsx";
import { Icon } from "@/components/ui/icon.tsx";
import { Menu, MenuItem, MenuSeparator } from "@/components/ui/menu.tsx";
import type { User } from "@/lib/api/shapes.ts";
import { AdminFrame } from "../admin-frame.tsx";
import { Failed } from "../failed.tsx";
import { TABLE, TABLE_CELL, TABLE_HEAD, TABLE_PLACE } from "../table.ts";
import { AddUser } from "./add-user.tsx";
import { ChangeRole, RemoveUser, SetPassword } from "./change-user.tsx";
import { useUsers } from "./use-users.ts";

/** The open dialog and its user. */
type Asked = { what: "add" } | { what: "role" | "password" | "remove"; user: User };

/** The users and their administration. `required`: sign-in is on. */
export function Users({ required }: { required: boolean }) {
  const t = useTranslations("admin.users");
  const users = useUsers();
  const [asked, ask] = useState<Asked | null>(null);
  const [said, say] = useState("");
  const done = (words: string) => {
    ask(null);
    say(words);
  };
  const close = () => ask(null);
  return (
    <AdminFrame
      current="users"
      title={t("title")}
      intro={t("intro")}
      actions={
        required && (
          <Button
            variant="primary"
            data-command=""
            onClick={() => ask({ what: "add" })}
            className="h-8! phone:h-11! px-3!"
          >
            <Icon name="plus" size={14} />
            {t("add")}
          </Button>
        )
      }
    >
      {!required && <NobodySignsIn />}
      <Failed error={users.error} onRetry={() => void users.refetch()} />
      {users.data && users.data.length > 0 && <UserTable users={users.data} onAsk={ask} />}
      <span role="status" className="sr-only">
        {said}
      </span>
      {asked?.what === "add" && <AddUser onDone={done} onClose={close} />}
      {asked?.what === "role" && <ChangeRole user={asked.user} onDone={done} onClose={close} />}
      {asked?.what === "password" && <SetPassword user={asked.user} onDone={done} onClose={close} />}
      {asked?.what === "remove" && <RemoveUser user={asked.user} onDone={done} onClose={close} />}
    </AdminFrame>
  );
}

function UserTable({ users, onAsk }: { users: readonly User[]; onAsk: (asked: Asked) => void }) {
  const t = useTranslations("admin.users");
  return (
    <div className={TABLE_PLACE}>
      <table className={TABLE}>
        <thead>
          <tr>
            <th className={TABLE_HEAD}>{t("columns.name")}</th>
            <th className={TABLE_HEAD}>{t("columns.role")}</th>
            <th className={`${TABLE_HEAD} max-md:hidden`}>{t("columns.signs_in")}</th>
            <th className={`${TABLE_HEAD} max-md:hidden`}>{t("columns.added")}</th>
            <th className={TABLE_HEAD}>{t("columns.seen")}</th>
            <th className={TABLE_HEAD}>
              <span className="sr-only">{t("columns.actions")}</span>
            </th>
          </tr>
        </thead>
        <tbody>
          {users.map((user) => (
            <UserRow key={user.id} user={user} onAsk={onAsk} />
          ))}
        </tbody>
      </table>
    </div>
  );
}

function UserRow({ user, onAsk }: { user: User; onAsk: (asked: Asked) => void }) {
  const t = useTranslations("admin.users");
  const roles = useTranslations("access.roles");
  const caller = useCaller();
  const isSelf = caller.kind === "person" && caller.id === user.id;
  return (
    <tr className="hover:bg-hover">
      <th scope="row" className={`${TABLE_CELL} min-w-30 font-medium text-13 wrap-anywhere`}>
        {user.name}
        {isSelf && <span className="ml-1.5 font-normal text-11 text-fg-3">{t("you")}</span>}
      </th>
      <td className={`${TABLE_CELL} whitespace-nowrap`}>{roles(user.role)}</td>
      <td className={`${TABLE_CELL} whitespace-nowrap text-fg-2 max-md:hidden`}>{t(`signs_in.${user.signs_in}`)}</td>
      <td className={`${TABLE_CELL} whitespace-nowrap text-fg-2 tabular-nums max-md:hidden`}>
        <AgoTime at={user.created_at} />
      </td>
      <td className={`${TABLE_CELL} whitespace-nowrap text-fg-2 tabular-nums`}>
        {user.seen_at === null ? t("not_seen") : <AgoTime at={user.seen_at} />}
      </td>
      <td className={`${TABLE_CELL} w-8 text-right`}>
        <Menu
          align="end"
          label={t("actions", { name: user.name })}
          trigger={<Icon name="more" />}
          className="inline-flex size-[var(--control)] items-center justify-center rounded-2 text-fg-2 hover:bg-active hover:text-fg aria-expanded:bg-active"
        >
          <MenuItem onSelect={() => onAsk({ what: "role", user })}>{t("role.open")}</MenuItem>
          {user.signs_in === "here" && (
            <MenuItem onSelect={() => onAsk({ what: "password", user })}>{t("password.open")}</MenuItem>
          )}
          <MenuSeparator />
          <MenuItem onSelect={() => onAsk({ what: "remove", user })}>
            <span className="text-st-failed">{t("remove.open")}</span>
          </MenuItem>
        </Menu>
      </td>
    </tr>
  );
}

/** How to turn sign-in on. */
const COMMANDS = { user: "npm run users -- add NAME --role admin", start: "OBELUS_AUTH=1 npm start" } as const;

/** A notice that sign-in is off, with how to turn it on. */
function NobodySignsIn() {
  const t = useTranslations("admin.users.off");
  const code = (words: React.ReactNode) => <code className="font-mono text-11 text-fg">{words}</code>;
  return (
    <section aria-labelledby="nobody-signs-in" className="mb-6 max-w-160 rounded-3 border border-line bg-sunken p-4">
      <h2 id="nobody-signs-in" className="font-semibold text-14">
        {t("title")}
      </h2>
      <p className="mt-1 text-13 text-fg-2 leading-[var(--lh-body)] text-pretty">{t.rich("text", { code })}</p>
      <ol className="mt-3 grid gap-3">
        <li className="grid gap-1">
          <span>{t("first")}</span>
          <CopyField text={COMMANDS.user} name={t("first")} />
        </li>
        <li className="grid gap-1">
          <span>{t("then")}</span>
          <CopyField text={COMMANDS.start} name={t("then")} />
        </li>
      </ol>
    </section>
  );
}
