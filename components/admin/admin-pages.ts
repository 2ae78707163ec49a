/** The administration pages, for tabs, menus and the command palette. */
export const ADMIN_PAGES = [
  { name: "users", href: "/admin/users", icon: "manager" },
  { name: "keys", href: "/admin/keys", icon: "key" },
  { name: "audit", href: "/admin/audit", icon: "thread" },
  { name: "data", href: "/admin/data", icon: "table" },
] as const;
