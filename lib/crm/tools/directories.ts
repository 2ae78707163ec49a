import type { CrmMethod } from "./method.ts";
import {
  answered,
  DONE,
  FILTERED,
  type Field,
  flag,
  ID,
  id,
  ids,
  NEW_ID,
  number,
  PAGED,
  page,
  SELECTED,
  settable,
  text,
  time,
} from "./schema.ts";

const USER: Record<string, Field> = {
  ID: id("The user"),
  NAME: text("First name"),
  LAST_NAME: text("Last name"),
  EMAIL: text("E-mail address"),
  WORK_POSITION: text("Position"),
  ACTIVE: flag("Works here"),
  UF_DEPARTMENT: ids("Departments"),
};

const GROUP: Record<string, Field> = {
  ID: id("The workgroup"),
  NAME: text("What it is called"),
  DESCRIPTION: text("More about it"),
  OWNER_ID: id("Whose it is"),
  NUMBER_OF_MEMBERS: number("How many are in it"),
  DATE_ACTIVITY: time("Last used"),
  PROJECT: flag("It is a project"),
  CLOSED: flag("It is archived"),
};

/** Statuses, pipelines, users and workgroups, which the fields of others refer to; and comments. */
export const DIRECTORIES: CrmMethod[] = [
  {
    name: "crm.deal.category.list",
    wire: "crm.dealcategory.list",
    description: "Lists the pipelines of deals besides the general one, which has the id 0.",
    effect: "read",
    parameters: { ...FILTERED, ...SELECTED, ...PAGED },
    required: [],
    output: page(
      answered({
        ID: id("The pipeline"),
        NAME: text("What it is called"),
        SORT: number("Its place"),
        IS_LOCKED: flag("It is closed"),
      }),
    ),
    list: true,
  },
  {
    name: "crm.deal.category.stage.list",
    wire: "crm.dealcategory.stage.list",
    description: "Lists the stages of a pipeline of deals, in their order. STATUS_ID is what a deal's STAGE_ID holds.",
    effect: "read",
    parameters: { id: { ...id("The pipeline: a deal's CATEGORY_ID; 0 for the general one").set } },
    required: [],
    output: page(
      answered({ STATUS_ID: text("The stage"), NAME: text("What it is called"), SORT: number("Its place") }),
    ),
    list: true,
  },
  {
    name: "crm.status.list",
    description:
      'Lists entries of the CRM\'s directories, such as {"ENTITY_ID": "SOURCE"}; also DEAL_STAGE, DEAL_TYPE, CONTACT_TYPE, COMPANY_TYPE, INDUSTRY, EMPLOYEES.',
    effect: "read",
    parameters: FILTERED,
    required: [],
    output: page(
      answered({
        ID: id("The entry"),
        ENTITY_ID: text("The directory"),
        STATUS_ID: text("What fields hold"),
        NAME: text("What it is called"),
        SORT: number("Its place"),
        SEMANTICS: text("S won, F lost"),
      }),
    ),
    list: true,
  },
  {
    name: "crm.timeline.comment.add",
    description: "Writes a comment into the timeline of a deal, contact or company. Gives the comment's id.",
    effect: "create",
    parameters: {
      fields: settable(
        {
          ENTITY_TYPE: { set: { type: "string", enum: ["deal", "contact", "company", "lead", "order"] }, got: {} },
          ENTITY_ID: id("The id of what is commented on"),
          COMMENT: text("The comment"),
        },
        "The comment",
        ["ENTITY_TYPE", "ENTITY_ID", "COMMENT"],
      ),
    },
    required: ["fields"],
    output: NEW_ID,
  },
  {
    name: "sonet.group.get",
    wire: "sonet_group.get",
    description: "Lists workgroups and projects.",
    effect: "read",
    parameters: { ORDER: FILTERED.order, FILTER: FILTERED.filter, ...PAGED },
    required: [],
    output: page(answered(GROUP)),
    list: true,
  },
  {
    name: "sonet.group.user.get",
    wire: "sonet_group.user.get",
    description: "Lists the members of a workgroup, with the ROLE of each: A owner, E moderator, K member.",
    effect: "read",
    parameters: { ID: { ...ID, description: "The id of the workgroup" } },
    required: ["ID"],
    output: page(answered({ USER_ID: id("The user"), ROLE: text("A, E or K") })),
    list: true,
  },
  {
    name: "user.current",
    description: "Tells as which user the agent works in the portal.",
    effect: "read",
    parameters: {},
    required: [],
    output: answered(USER),
  },
  {
    name: "user.get",
    description: 'Finds users of the portal, such as {"LAST_NAME": "Ivanova"} or {"NAME_SEARCH": "ivan"}.',
    effect: "read",
    parameters: {
      sort: { type: "string", description: "The field to sort by" },
      order: { type: "string", enum: ["ASC", "DESC"] },
      FILTER: FILTERED.filter,
      ...PAGED,
    },
    required: [],
    output: page(answered(USER)),
    list: true,
  },
];

const EVENT = { type: "string", description: "The event, as ONCRMDEALADD" };
const HANDLER = { type: "string", format: "uri", description: "The address that the portal calls" };

/** Event subscriptions of the portal. Bitrix24 supports them for applications only, not for webhooks. */
export const EVENTS: CrmMethod[] = [
  {
    name: "event.bind",
    description: "Has the portal call an address whenever an event happens.",
    effect: "change",
    parameters: { event: EVENT, handler: HANDLER },
    required: ["event", "handler"],
    output: DONE,
  },
  {
    name: "event.unbind",
    description: "Ends a subscription to an event.",
    effect: "change",
    parameters: { event: EVENT, handler: HANDLER },
    required: ["event", "handler"],
    output: { type: "object", properties: { count: { type: "integer" } } },
  },
  {
    name: "event.get",
    description: "Lists the subscriptions to events of the portal.",
    effect: "read",
    parameters: {},
    required: [],
    output: page(answered({ event: text("The event"), handler: text("The address that is called") })),
    list: true,
  },
];
