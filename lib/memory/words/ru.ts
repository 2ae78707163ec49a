import type { ListKind, ObjectKind } from "../actions/methods.ts";
import { type Forms, pluralOf } from "./plural.ts";
import type { Change, Named, Words } from "./words.ts";

/** A noun in the cases that sentences need, and the endings of participles. */
interface Noun {
  nominative: string;
  genitive: string;
  dative: string;
  accusative: string;
  made: string;
  changed: string;
}

const OBJECTS: Record<ObjectKind, Noun> = {
  deal: {
    nominative: "сделка",
    genitive: "сделки",
    dative: "сделке",
    accusative: "сделку",
    made: "Создана",
    changed: "Изменена",
  },
  contact: {
    nominative: "контакт",
    genitive: "контакта",
    dative: "контакту",
    accusative: "контакт",
    made: "Создан",
    changed: "Изменён",
  },
  company: {
    nominative: "компания",
    genitive: "компании",
    dative: "компании",
    accusative: "компанию",
    made: "Создана",
    changed: "Изменена",
  },
  activity: {
    nominative: "дело",
    genitive: "дела",
    dative: "делу",
    accusative: "дело",
    made: "Создано",
    changed: "Изменено",
  },
  task: {
    nominative: "задача",
    genitive: "задачи",
    dative: "задаче",
    accusative: "задачу",
    made: "Создана",
    changed: "Изменена",
  },
  comment: {
    nominative: "комментарий",
    genitive: "комментария",
    dative: "комментарию",
    accusative: "комментарий",
    made: "Добавлен",
    changed: "Изменён",
  },
  checklist_item: {
    nominative: "пункт чек-листа",
    genitive: "пункта чек-листа",
    dative: "пункту чек-листа",
    accusative: "пункт чек-листа",
    made: "Добавлен",
    changed: "Изменён",
  },
};

/** Genitive plural: «просмотрено сделок». */
const LISTS: Record<ListKind, string> = {
  deal: "сделок",
  contact: "контактов",
  company: "компаний",
  activity: "дел",
  task: "задач",
  category: "воронок",
  stage: "стадий воронки",
  status: "значений справочника",
  group: "групп",
  member: "участников группы",
};

/** Genitive: «из одной команды», «из 21 команды», «из 5 команд». */
const OF_COMMANDS: Forms = { one: "команды", other: "команд" };
const HOURS: Forms = { one: "час", few: "часа", other: "часов" };
const DAYS: Forms = { one: "день", few: "дня", other: "дней" };
const STEPS: Forms = { one: "шаг", few: "шага", other: "шагов" };

export const ru: Words = {
  fields: {
    ASSIGNED_BY_ID: "ответственный",
    BEGINDATE: "дата начала",
    CATEGORY_ID: "воронка",
    CLOSEDATE: "дата завершения",
    COMMENT: "текст",
    COMMENTS: "комментарий",
    COMPANY_ID: "компания",
    COMPLETED: "завершено",
    CONTACT_ID: "контакт",
    CURRENCY_ID: "валюта",
    DEADLINE: "дедлайн",
    DESCRIPTION: "описание",
    EMAIL: "эл. почта",
    LAST_NAME: "фамилия",
    NAME: "имя",
    OPPORTUNITY: "сумма",
    PHONE: "телефон",
    POST_MESSAGE: "текст",
    PRIORITY: "приоритет",
    PROBABILITY: "вероятность",
    RESPONSIBLE_ID: "ответственный",
    SOURCE_ID: "источник",
    STAGE_ID: "стадия",
    STATUS: "статус",
    SUBJECT: "тема",
    TITLE: "название",
  },
  quoted: (text) => `«${text}»`,

  created: (object, owner) => `${OBJECTS[object.kind].made} ${named(object, "nominative")}${of(object.kind, owner)}`,
  changed: (object, fields) =>
    `${OBJECTS[object.kind].changed} ${named(object, "nominative")}${fields.length > 0 ? `: ${fields.join(", ")}` : ""}`,
  viewed: (kind, count) => `Просмотрено ${LISTS[kind]}: ${count}`,
  bound: (event) => `Оформлена подписка на событие ${event}`,
  unbound: (event) => `Отменена подписка на событие ${event}`,
  ranBatch: (count) => `Выполнен пакет из ${counted(count, OF_COMMANDS)}`,
  carriedOut: (method) => `Выполнено действие ${method}`,

  create: (kind, owner, fields) =>
    `${OBJECTS[kind].made === "Добавлен" ? "Добавить" : "Создать"} ${OBJECTS[kind].accusative}${of(kind, owner)}${listed(fields)}`,
  change: (object, fields) => `Изменить ${named(object, "accusative")}${listed(fields)}`,
  changeOf: {
    OPPORTUNITY: (object, value) => `Изменить сумму ${named(object, "genitive")} до ${value}`,
    DEADLINE: (object, value) => `Перенести дедлайн ${named(object, "genitive")} на ${value}`,
    STAGE_ID: (object, value) => `Перевести ${named(object, "accusative")} на стадию ${value}`,
    CATEGORY_ID: (object, value) => `Перенести ${named(object, "accusative")} в воронку ${value}`,
    ASSIGNED_BY_ID: (object, value) => `Назначить ответственным за ${named(object, "accusative")} сотрудника ${value}`,
    RESPONSIBLE_ID: (object, value) => `Назначить ответственным за ${named(object, "accusative")} сотрудника ${value}`,
  },
  empty: (object, field) => `Очистить поле «${field}» ${named(object, "genitive")}`,
  bind: (event, handler) => `Подписать ${handler} на событие ${event}`,
  unbind: (event, handler) => `Отменить подписку ${handler} на событие ${event}`,
  runBatch: (count, commands) => `Выполнить пакет из ${counted(count, OF_COMMANDS)}: ${commands.join("; ")}`,
  carryOut: (method, params) => `Выполнить действие ${method}${listed(params)}`,
  unreadable: "команда, которую не удалось прочитать",

  noGoals: "Нет актуальных целей. Скажите, чего нужно добиться.",
  noObjects:
    "В истории есть созданные или просмотренные объекты, но текущая сделка, контакт, компания или задача не выбраны. Уточните, о чём идёт речь.",
  overdue: (description, hours) =>
    `«${description}» ждёт решения уже ${hours < 48 ? counted(hours, HOURS) : counted(Math.floor(hours / 24), DAYS)}. Согласуйте или отклоните.`,
  nameless: (count) => `В работе ${counted(count, STEPS)} без описания. Уточните, чего нужно дождаться.`,
  madeOrViewed: /(созда[нл]|добавл|просмотр)/i,

  awaited: "Ждут согласования:",
  asked: (description, key, since) => `${description} (${key}, с ${since})`,
  goals: "Цели:",
  known: (objects) => `Текущие: ${objects.map((object) => named(object, "nominative")).join(", ")}`,
  done: "Сделано последним:",
};

function named({ kind, id }: Named, form: "nominative" | "genitive" | "dative" | "accusative"): string {
  return id === null ? OBJECTS[kind][form] : `${OBJECTS[kind][form]} ${id}`;
}

function of(kind: ObjectKind, owner: Named | null): string {
  if (!owner) return "";
  return ` ${kind === "activity" ? "по" : "к"} ${named(owner, "dative")}`;
}

function listed(changes: Change[]): string {
  if (changes.length === 0) return "";
  return `: ${changes.map(({ field, value }) => `${field} ${value ?? "—"}`).join(", ")}`;
}

function counted(count: number, forms: Forms): string {
  return `${count} ${pluralOf("ru", count, forms)}`;
}
