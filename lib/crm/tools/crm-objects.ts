import type { JsonObject } from "../../session/json/json.ts";
import type { CrmMethod } from "./method.ts";
import {
  answered,
  choice,
  DONE,
  day,
  entries,
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

const ASSIGNED: Field = id("Who is responsible: a user's id");
const COMMENTS: Field = text("A note about it");
const OPENED: Field = flag("Everybody may see it");
const MADE = { DATE_CREATE: time("Made"), DATE_MODIFY: time("Last changed"), CREATED_BY_ID: id("By whom") };

const DEAL: Record<string, Field> = {
  TITLE: text("What the deal is called"),
  STAGE_ID: text("The stage: a STATUS_ID of crm.deal.category.stage.list"),
  CATEGORY_ID: id("The pipeline: an ID of crm.deal.category.list, 0 for the general one"),
  OPPORTUNITY: number("The amount"),
  CURRENCY_ID: text("The amount's currency: RUB, USD, EUR, …"),
  COMPANY_ID: id("The company"),
  CONTACT_ID: id("The contact"),
  CONTACT_IDS: ids("All contacts"),
  ASSIGNED_BY_ID: ASSIGNED,
  TYPE_ID: text("The type: a STATUS_ID of crm.status.list with ENTITY_ID DEAL_TYPE"),
  PROBABILITY: number("The chance of success in percent"),
  BEGINDATE: day("First day"),
  CLOSEDATE: day("Last day"),
  SOURCE_ID: text("Where it came from: a STATUS_ID of crm.status.list with ENTITY_ID SOURCE"),
  COMMENTS,
  OPENED,
  CLOSED: flag("It is closed"),
};

const CONTACT: Record<string, Field> = {
  NAME: text("First name"),
  SECOND_NAME: text("Middle name"),
  LAST_NAME: text("Last name"),
  POST: text("Position"),
  COMPANY_ID: id("The company"),
  PHONE: entries("Phones"),
  EMAIL: entries("E-mail addresses"),
  TYPE_ID: text("The type: a STATUS_ID of crm.status.list with ENTITY_ID CONTACT_TYPE"),
  SOURCE_ID: text("Where it came from: a STATUS_ID of crm.status.list with ENTITY_ID SOURCE"),
  BIRTHDATE: day("Birthday"),
  ASSIGNED_BY_ID: ASSIGNED,
  COMMENTS,
  OPENED,
};

const COMPANY: Record<string, Field> = {
  TITLE: text("What the company is called"),
  COMPANY_TYPE: text("The type: a STATUS_ID of crm.status.list with ENTITY_ID COMPANY_TYPE"),
  INDUSTRY: text("The industry: a STATUS_ID of crm.status.list with ENTITY_ID INDUSTRY"),
  EMPLOYEES: text("How many work there: a STATUS_ID of crm.status.list with ENTITY_ID EMPLOYEES"),
  REVENUE: number("Revenue of a year"),
  CURRENCY_ID: text("The revenue's currency"),
  PHONE: entries("Phones"),
  EMAIL: entries("E-mail addresses"),
  WEB: entries("Web sites"),
  ASSIGNED_BY_ID: ASSIGNED,
  COMMENTS,
  OPENED,
};

const OWNER_TYPES = { 1: "lead", 2: "deal", 3: "contact", 4: "company" };

const COMMUNICATIONS: Field = {
  set: {
    type: "array",
    description: "Whom it is with: the phone of a call, the address of an e-mail. A call or an e-mail needs one",
    items: {
      type: "object",
      properties: {
        VALUE: { type: "string", description: "The phone or address" },
        ENTITY_ID: { ...ID, description: "Whose it is" },
        ENTITY_TYPE_ID: choice("What that is", OWNER_TYPES).set,
      },
      required: ["VALUE"],
    },
  },
  got: {},
};

const ACTIVITY: Record<string, Field> = {
  SUBJECT: text("What it is about"),
  TYPE_ID: choice("What it is", { 1: "meeting", 2: "call", 3: "task", 4: "e-mail", 6: "other" }),
  OWNER_TYPE_ID: choice("What it belongs to", OWNER_TYPES),
  OWNER_ID: id("The id of what it belongs to"),
  RESPONSIBLE_ID: ASSIGNED,
  START_TIME: time("When it begins; of a call or meeting the deadline as well"),
  END_TIME: time("When it ends"),
  DEADLINE: time("Until when it is to be done"),
  DESCRIPTION: text("More about it"),
  DIRECTION: choice("Of a call or an e-mail", { 1: "incoming", 2: "outgoing" }),
  PRIORITY: choice("How urgent it is", { 1: "low", 2: "normal", 3: "high" }),
  COMPLETED: flag("It is done"),
  COMMUNICATIONS,
};

interface CrmObject {
  /** The name in methods: `deal`. */
  name: string;
  /** With an article: "a deal". */
  one: string;
  many: string;
  fields: Record<string, Field>;
  /** Required fields when creating one. */
  needs: readonly string[];
  /** Read-only fields. */
  more: Record<string, Field>;
}

const OBJECTS: CrmObject[] = [
  {
    name: "deal",
    one: "a deal",
    many: "deals",
    fields: DEAL,
    needs: ["TITLE"],
    more: { ...MADE, STAGE_SEMANTIC_ID: text("P in progress, S won, F lost") },
  },
  { name: "contact", one: "a contact", many: "contacts", fields: CONTACT, needs: [], more: MADE },
  { name: "company", one: "a company", many: "companies", fields: COMPANY, needs: ["TITLE"], more: MADE },
  {
    name: "activity",
    one: "an activity (a call, a meeting, an e-mail)",
    many: "activities (calls, meetings, e-mails)",
    fields: ACTIVITY,
    needs: ["SUBJECT", "TYPE_ID", "OWNER_TYPE_ID", "OWNER_ID"],
    more: { CREATED: time("Made"), LAST_UPDATED: time("Last changed"), AUTHOR_ID: id("By whom") },
  },
];

/** Deals, contacts, companies and activities: each with get, list, add and update. */
export const CRM_OBJECTS: CrmMethod[] = OBJECTS.flatMap(methodsOf);

function methodsOf({ name, one, many, fields, needs, more }: CrmObject): CrmMethod[] {
  const method = (verb: string) => `crm.${name}.${verb}`;
  const itself: JsonObject = { id: { ...ID, description: `The id of ${one}` } };
  const all = { ...fields, ...more };
  return [
    {
      name: method("get"),
      description: `Reads ${one} of the CRM with all its fields.`,
      effect: "read",
      parameters: itself,
      required: ["id"],
      output: answered(all, { ID }),
    },
    {
      name: method("list"),
      description: `Finds ${many} of the CRM.`,
      effect: "read",
      parameters: { ...FILTERED, ...SELECTED, ...PAGED },
      required: [],
      output: page(answered({ ID: id("Its id"), ...all })),
      list: true,
    },
    {
      name: method("add"),
      description: `Makes ${one} in the CRM. Gives its id.`,
      effect: "create",
      parameters: { fields: settable(fields, `The fields of the new one`, needs) },
      required: ["fields"],
      output: NEW_ID,
    },
    {
      name: method("update"),
      description: `Changes fields of ${one} in the CRM; those that are not named stay as they are. An empty text empties a field.`,
      effect: "change",
      parameters: { ...itself, fields: settable(fields, "Only the fields that change", []) },
      required: ["id", "fields"],
      output: DONE,
    },
  ];
}
