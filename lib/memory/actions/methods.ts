import type { Effect } from "./happening.ts";

/** Objects that can be created and changed. */
export type ObjectKind = "deal" | "contact" | "company" | "activity" | "task" | "comment" | "checklist_item";

/** The kinds of lists. */
export type ListKind =
  | Exclude<ObjectKind, "comment" | "checklist_item">
  | "category"
  | "stage"
  | "status"
  | "group"
  | "member";

/** The verb of a method and the kind of its objects. */
export type Method = { verb: "get" | "add" | "update"; kind: ObjectKind } | { verb: "list"; kind: ListKind };

const METHODS = new Map<string, Method>(
  Object.entries<Method>({
    "crm.deal.get": { verb: "get", kind: "deal" },
    "crm.deal.list": { verb: "list", kind: "deal" },
    "crm.deal.add": { verb: "add", kind: "deal" },
    "crm.deal.update": { verb: "update", kind: "deal" },
    "crm.contact.get": { verb: "get", kind: "contact" },
    "crm.contact.list": { verb: "list", kind: "contact" },
    "crm.contact.add": { verb: "add", kind: "contact" },
    "crm.contact.update": { verb: "update", kind: "contact" },
    "crm.company.get": { verb: "get", kind: "company" },
    "crm.company.list": { verb: "list", kind: "company" },
    "crm.company.add": { verb: "add", kind: "company" },
    "crm.company.update": { verb: "update", kind: "company" },
    "crm.activity.list": { verb: "list", kind: "activity" },
    "crm.activity.add": { verb: "add", kind: "activity" },
    "crm.activity.update": { verb: "update", kind: "activity" },
    "crm.timeline.comment.add": { verb: "add", kind: "comment" },
    "tasks.task.get": { verb: "get", kind: "task" },
    "tasks.task.list": { verb: "list", kind: "task" },
    "tasks.task.add": { verb: "add", kind: "task" },
    "tasks.task.update": { verb: "update", kind: "task" },
    "task.commentitem.add": { verb: "add", kind: "comment" },
    "task.checklistitem.add": { verb: "add", kind: "checklist_item" },
    "crm.deal.category.list": { verb: "list", kind: "category" },
    "crm.deal.category.stage.list": { verb: "list", kind: "stage" },
    "crm.status.list": { verb: "list", kind: "status" },
    "sonet.group.get": { verb: "list", kind: "group" },
    "sonet.group.user.get": { verb: "list", kind: "member" },
  }),
);

/** The known properties of a method; null if the memory has no rules for it. */
export function methodOf(name: string): Method | null {
  return METHODS.get(name) ?? null;
}

/** The effect of a batch's command, by its method alone. */
export function effectOf(name: string): Effect {
  switch (methodOf(name)?.verb) {
    case "get":
    case "list":
      return "read";
    case "add":
      return "create";
    case "update":
      return "change";
    case undefined:
      return /\.(get|list|current|fields)$/.test(name) ? "read" : "change";
  }
}
