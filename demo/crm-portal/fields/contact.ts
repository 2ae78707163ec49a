import { REACH_FIELDS, SHARED_FIELDS } from "./common.ts";
import type { Fields } from "./field.ts";

export const CONTACT_FIELDS: Fields = {
  ID: { type: "integer", title: "ID", readOnly: true },
  HONORIFIC: { type: "crm_status", title: "Salutation", statusType: "HONORIFIC" },
  NAME: { type: "string", title: "First name" },
  SECOND_NAME: { type: "string", title: "Middle name" },
  LAST_NAME: { type: "string", title: "Last name" },
  BIRTHDATE: { type: "date", title: "Date of birth" },
  TYPE_ID: { type: "crm_status", title: "Contact type", statusType: "CONTACT_TYPE", initial: "CLIENT" },
  SOURCE_ID: { type: "crm_status", title: "Source", statusType: "SOURCE" },
  SOURCE_DESCRIPTION: { type: "string", title: "Source information" },
  POST: { type: "string", title: "Position" },
  COMPANY_ID: { type: "crm_company", title: "Company" },
  EXPORT: { type: "char", title: "Included in export", initial: "Y" },
  ...REACH_FIELDS,
  ...SHARED_FIELDS,
};
