import { REACH_FIELDS, SHARED_FIELDS } from "./common.ts";
import type { Fields } from "./field.ts";

export const COMPANY_FIELDS: Fields = {
  ID: { type: "integer", title: "ID", readOnly: true },
  TITLE: { type: "string", title: "Company name", required: true },
  COMPANY_TYPE: { type: "crm_status", title: "Company type", statusType: "COMPANY_TYPE", initial: "CUSTOMER" },
  INDUSTRY: { type: "crm_status", title: "Industry", statusType: "INDUSTRY" },
  EMPLOYEES: { type: "crm_status", title: "Employees", statusType: "EMPLOYEES" },
  CURRENCY_ID: { type: "crm_currency", title: "Currency", initial: "RUB" },
  REVENUE: { type: "double", title: "Annual revenue", initial: "0.00" },
  BANKING_DETAILS: { type: "string", title: "Bank details" },
  ADDRESS: { type: "string", title: "Address" },
  IS_MY_COMPANY: { type: "char", title: "My company", initial: "N" },
  ...REACH_FIELDS,
  ...SHARED_FIELDS,
};
