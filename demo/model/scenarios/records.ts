import type { Scenario } from "../script.ts";
import { ABOUT, SHOW } from "./words.ts";

const contact: Scenario = {
  name: "show a contact",
  phrases: {
    en: [
      `${SHOW.en} [me] [the] (contact|customer|client) {contact:number}`,
      "^(contact|customer|client) {contact:number}$",
      `${SHOW.en} [me] [(its|the|this)] (contact|customer|client)$`,
    ],
    ru: [
      `${SHOW.ru} ${ABOUT.ru} (контакт*|клиент*) {contact:number}`,
      "^(контакт|клиент) {contact:number}$",
      `${SHOW.ru} ${ABOUT.ru} [(её|ее|его)] (контакт|контакте|контакту|контактом|клиента|клиенте|клиенту)$`,
    ],
  },
  values: {
    contact: {
      otherwise: "memory.objects.current_contact_id",
      ask: {
        en: "Which contact is it? Say its number too, as in “show contact 456”.",
        ru: "О каком контакте речь? Назовите и его номер, например: «покажи контакт 456».",
      },
    },
  },
  wish: { en: "show contact {contact}", ru: "показать контакт {contact}" },
  steps: [[{ tool: "crm.contact.get", as: "found", params: { id: "{contact}" } }]],
  say: {
    en: [
      "**Contact {contact}: {found.NAME} [?{found.LAST_NAME}]**",
      "",
      "[?- Position: {found.POST}]",
      "[?- Phone: {found.PHONE.0.VALUE}]",
      "[?- Mail: {found.EMAIL.0.VALUE}]",
      "[?- Company: {found.COMPANY_ID}]",
    ],
    ru: [
      "**Контакт {contact}: {found.NAME} [?{found.LAST_NAME}]**",
      "",
      "[?- Должность: {found.POST}]",
      "[?- Телефон: {found.PHONE.0.VALUE}]",
      "[?- Почта: {found.EMAIL.0.VALUE}]",
      "[?- Компания: {found.COMPANY_ID}]",
    ],
  },
};

const company: Scenario = {
  name: "show a company",
  phrases: {
    en: [
      `${SHOW.en} [me] [the] company {company:number}`,
      "^company {company:number}$",
      `${SHOW.en} [me] [(its|the|this)] company$`,
    ],
    ru: [
      `${SHOW.ru} ${ABOUT.ru} компани* {company:number}`,
      "^компания {company:number}$",
      `${SHOW.ru} ${ABOUT.ru} [(её|ее|его)] (компанию|компании|компания)$`,
    ],
  },
  values: {
    company: {
      otherwise: "memory.objects.current_company_id",
      ask: {
        en: "Which company is it? Say its number too, as in “show company 11”.",
        ru: "О какой компании речь? Назовите и её номер, например: «покажи компанию 11».",
      },
    },
  },
  wish: { en: "show company {company}", ru: "показать компанию {company}" },
  steps: [[{ tool: "crm.company.get", as: "found", params: { id: "{company}" } }]],
  say: {
    en: [
      "**Company {company}: {found.TITLE}**",
      "",
      "[?- Phone: {found.PHONE.0.VALUE}]",
      "[?- Mail: {found.EMAIL.0.VALUE}]",
      "[?- Responsible: user {found.ASSIGNED_BY_ID}]",
    ],
    ru: [
      "**Компания {company}: {found.TITLE}**",
      "",
      "[?- Телефон: {found.PHONE.0.VALUE}]",
      "[?- Почта: {found.EMAIL.0.VALUE}]",
      "[?- Ответственный: сотрудник {found.ASSIGNED_BY_ID}]",
    ],
  },
};

const createContact: Scenario = {
  name: "create a contact",
  phrases: {
    en: [
      "(create|add|make|new) [a] [new] (contact|customer|client) [(named|called|for)] {first:name} {last:name} [with] [phone] {phone:phone}",
      "(create|add|make|new) [a] [new] (contact|customer|client) [(named|called|for)] {first:name} [with] [phone] {phone:phone}",
      "(create|add|make|new) [a] [new] (contact|customer|client) [(named|called|for)] {first:name} {last:name}",
      "(create|add|make|new) [a] [new] (contact|customer|client) [(named|called|for)] {first:name}",
      "(create|add|make|new) [a] [new] (contact|customer|client)",
    ],
    ru: [
      "(созда*|добав*|завед*|завести|новый) [новый] (контакт|клиента) {first:name} {last:name} [с] [телефон*] {phone:phone}",
      "(созда*|добав*|завед*|завести|новый) [новый] (контакт|клиента) {first:name} [с] [телефон*] {phone:phone}",
      "(созда*|добав*|завед*|завести|новый) [новый] (контакт|клиента) {first:name} {last:name}",
      "(созда*|добав*|завед*|завести|новый) [новый] (контакт|клиента) {first:name}",
      "(созда*|добав*|завед*|завести|новый) [новый] (контакт|клиента)",
    ],
  },
  example: {
    en: "create a contact Anna Orlova, phone +7 900 123-45-67",
    ru: "создай контакт Анна Орлова, телефон +7 900 123-45-67",
  },
  values: {
    first: {
      ask: {
        en: "What is the contact's name? Say it all at once, as in “create a contact Anna Orlova”.",
        ru: "Как зовут контакт? Скажите всё сразу, например: «создай контакт Анна Орлова».",
      },
    },
  },
  wish: { en: "create the contact {first}[? {last}]", ru: "создать контакт {first}[? {last}]" },
  steps: [
    [
      {
        tool: "crm.contact.add",
        as: "made",
        params: {
          fields: { NAME: "{first}", LAST_NAME: "{last}", PHONE: [{ VALUE: "{phone}", VALUE_TYPE: "WORK" }] },
        },
      },
    ],
  ],
  say: {
    en: ["Done: contact {made} is **{first}[? {last}]**[?, phone {phone}]."],
    ru: ["Готово: создан контакт {made}, **{first}[? {last}]**[?, телефон {phone}]."],
  },
};

/** Single contacts and companies. */
export const RECORDS: readonly Scenario[] = [createContact, contact, company];
