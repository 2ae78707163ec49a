import type { Fields } from "./field.ts";

/** Fields of deals, contacts and companies: owner and audit fields. */
export const SHARED_FIELDS: Fields = {
  OPENED: { type: "char", title: "Available to everyone", initial: "Y" },
  COMMENTS: { type: "string", title: "Comment" },
  ASSIGNED_BY_ID: { type: "user", title: "Responsible" },
  CREATED_BY_ID: { type: "user", title: "Created by", readOnly: true },
  MODIFY_BY_ID: { type: "user", title: "Modified by", readOnly: true },
  DATE_CREATE: { type: "datetime", title: "Created on", readOnly: true },
  DATE_MODIFY: { type: "datetime", title: "Modified on", readOnly: true },
  LAST_ACTIVITY_BY: { type: "user", title: "Last activity by", readOnly: true },
  LAST_ACTIVITY_TIME: { type: "datetime", title: "Last activity", readOnly: true },
  LEAD_ID: { type: "crm_lead", title: "Lead", readOnly: true },
  ORIGINATOR_ID: { type: "string", title: "External source" },
  ORIGIN_ID: { type: "string", title: "Item ID in data source" },
  UTM_SOURCE: { type: "string", title: "Ad system" },
  UTM_MEDIUM: { type: "string", title: "Medium" },
  UTM_CAMPAIGN: { type: "string", title: "Ad campaign UTM" },
  UTM_CONTENT: { type: "string", title: "Campaign contents" },
  UTM_TERM: { type: "string", title: "Campaign search term" },
};

/** Phones and e-mail addresses of contacts and companies. */
export const REACH_FIELDS: Fields = {
  HAS_PHONE: { type: "char", title: "Has phone", readOnly: true, initial: "N" },
  HAS_EMAIL: { type: "char", title: "Has e-mail", readOnly: true, initial: "N" },
  HAS_IMOL: { type: "char", title: "Has open channel", readOnly: true, initial: "N" },
  PHONE: { type: "crm_multifield", title: "Phone", multiple: true },
  EMAIL: { type: "crm_multifield", title: "E-mail", multiple: true },
  WEB: { type: "crm_multifield", title: "Website", multiple: true },
  IM: { type: "crm_multifield", title: "Messenger", multiple: true },
};
