import type { InBoth, Listing, Scenario, ScriptedCall } from "../script.ts";
import { ABOUT, SHOW } from "./words.ts";

/** The most entries in a chat message. */
const TOLD = 10;

const ALL: InBoth<string> = {
  en: "[me] [(all|any)] [of] [(the|my|our|your)] [(all|open|active|current|latest|last)]",
  ru: "[(есть|сейчас)] [(у нас|у меня|у тебя)] [(есть|сейчас)] [все] [(мои|моих|наши|наших)] [(открытые|открытых|текущие|текущих|последние)]",
};

interface Kind {
  tool: string;
  params: ScriptedCall["params"];
  /** Alternatives; a singular noun asks for one record, not for a list. */
  plural: InBoth<string>;
  /** The beginning of a sentence about them, and "of them". */
  named: InBoth<[title: string, genitive: string]>;
  line: InBoth<string>;
}

function list({ tool, params, plural, named, line }: Kind): Scenario {
  const listing = (locale: "en" | "ru", words: Pick<Listing, "more" | "none">): Listing[] => [
    {
      each: "found.items",
      of: "found.total",
      title: `**${named[locale][0]}: {total|number}**\n`,
      line: `- ${line[locale]}`,
      first: TOLD,
      ...words,
    },
  ];
  return {
    name: `list ${named.en[1]}`,
    phrases: {
      en: [
        `(${SHOW.en}|list|how many|which|give) ${ALL.en} ${plural.en}`,
        `list of ${ALL.en} ${plural.en}`,
        `^[(all|my|our|the)] ${plural.en}$`,
      ],
      ru: [
        `(${SHOW.ru}|список|перечисл*|сколько|выведи) ${ABOUT.ru} ${ALL.ru} ${plural.ru}`,
        `^[(все|мои|наши)] ${plural.ru}$`,
      ],
    },
    example: { en: `list ${named.en[1]}`, ru: `список ${named.ru[1]}` },
    wish: { en: `list ${named.en[1]}`, ru: `показать список ${named.ru[1]}` },
    steps: [[{ tool, as: "found", params }]],
    say: {
      en: listing("en", { more: "\n…and {rest|number} more.", none: `There are no ${named.en[1]}.` }),
      ru: listing("ru", {
        more: "\n…и ещё {rest|number}.",
        none: `Здесь нет ни одной записи в списке ${named.ru[1]}.`,
      }),
    },
  };
}

const PERSON = "{ID}: {NAME} [?{LAST_NAME}]";

/** Lists of the portal's records. */
export const LISTS: readonly Scenario[] = [
  list({
    tool: "crm.deal.list",
    params: {
      order: { ID: "DESC" },
      select: ["ID", "TITLE", "OPPORTUNITY", "CURRENCY_ID", "STAGE_ID"],
    },
    plural: { en: "deals", ru: "(сделки|сделок|сделкам|сделках|сделками)" },
    named: { en: ["Deals", "deals"], ru: ["Сделки", "сделок"] },
    line: {
      en: "{ID}: {TITLE}[?, {OPPORTUNITY|money:CURRENCY_ID}][?, stage {STAGE_ID}]",
      ru: "{ID}: {TITLE}[?, {OPPORTUNITY|money:CURRENCY_ID}][?, стадия {STAGE_ID}]",
    },
  }),
  list({
    tool: "crm.contact.list",
    params: { order: { ID: "DESC" }, select: ["ID", "NAME", "LAST_NAME"] },
    plural: {
      en: "(contacts|customers|clients)",
      ru: "(контакты|контактов|контактам|контактах|клиенты|клиентов|клиентам)",
    },
    named: { en: ["Contacts", "contacts"], ru: ["Контакты", "контактов"] },
    line: { en: PERSON, ru: PERSON },
  }),
  list({
    tool: "crm.company.list",
    params: { order: { ID: "DESC" }, select: ["ID", "TITLE"] },
    plural: { en: "companies", ru: "(компании|компаний|компаниям|компаниях)" },
    named: { en: ["Companies", "companies"], ru: ["Компании", "компаний"] },
    line: { en: "{ID}: {TITLE}", ru: "{ID}: {TITLE}" },
  }),
  list({
    tool: "tasks.task.list",
    params: { order: { ID: "desc" }, select: ["ID", "TITLE", "DEADLINE", "RESPONSIBLE_ID"] },
    plural: { en: "(tasks|todos|to-dos)", ru: "(задачи|задач|задачам|задачах|задачами)" },
    named: { en: ["Tasks", "tasks"], ru: ["Задачи", "задач"] },
    line: {
      en: "{id}: {title}[?, due {deadline|date}]",
      ru: "{id}: {title}[?, срок: {deadline|date}]",
    },
  }),
  list({
    tool: "user.get",
    params: {},
    plural: {
      en: "(users|employees|colleagues)",
      ru: "(сотрудники|сотрудников|пользователи|пользователей|коллеги|коллег)",
    },
    named: { en: ["Users", "users"], ru: ["Сотрудники", "сотрудников"] },
    line: { en: `${PERSON}[?, {WORK_POSITION}]`, ru: `${PERSON}[?, {WORK_POSITION}]` },
  }),
];
