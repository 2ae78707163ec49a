/** The pipelines besides the default one, 0. */
export const CATEGORIES = [
  { id: "1", name: "Обслуживание" },
  { id: "2", name: "Партнёрские проекты" },
];

/** A directory entry: name, and for stages the color and whether a deal is won (S) or lost (F). */
type Entry = [statusId: string, name: string, color?: string, semantics?: "S" | "F"];

const WON = "#7BD500";
const LOST = "#FF5752";

/** Directories in order. */
export const DIRECTORIES: Record<string, Entry[]> = {
  DEAL_STAGE: [
    ["NEW", "Новая", "#39A8EF"],
    ["PREPARATION", "Подготовка документов", "#2FC6F6"],
    ["PREPAYMENT_INVOICE", "Счёт на предоплату", "#55D0E0"],
    ["EXECUTING", "В работе", "#47E4C2"],
    ["FINAL_INVOICE", "Финальный счёт", "#FFA900"],
    ["WON", "Сделка успешна", WON, "S"],
    ["LOSE", "Сделка провалена", LOST, "F"],
    ["APOLOGY", "Анализ причины провала", LOST, "F"],
  ],
  DEAL_STAGE_1: [
    ["C1:NEW", "Заявка", "#39A8EF"],
    ["C1:VISIT", "Выезд назначен", "#2FC6F6"],
    ["C1:EXECUTING", "Выполняется", "#47E4C2"],
    ["C1:WON", "Выполнено", WON, "S"],
    ["C1:LOSE", "Отменено", LOST, "F"],
  ],
  DEAL_STAGE_2: [
    ["C2:NEW", "Знакомство", "#39A8EF"],
    ["C2:PREPARATION", "Расчёт", "#2FC6F6"],
    ["C2:APPROVAL", "Согласование", "#FFA900"],
    ["C2:WON", "Договор подписан", WON, "S"],
    ["C2:LOSE", "Не договорились", LOST, "F"],
  ],
  DEAL_TYPE: [
    ["SALE", "Продажа"],
    ["COMPLEX", "Комплексная продажа"],
    ["SERVICES", "Услуги"],
    ["SERVICE", "Сервисное обслуживание"],
  ],
  SOURCE: [
    ["CALL", "Звонок"],
    ["EMAIL", "Электронная почта"],
    ["WEB", "Веб-сайт"],
    ["PARTNER", "Существующий клиент"],
    ["RECOMMENDATION", "По рекомендации"],
    ["TRADE_SHOW", "Выставка"],
  ],
  CONTACT_TYPE: [
    ["CLIENT", "Клиенты"],
    ["SUPPLIER", "Поставщики"],
    ["PARTNER", "Партнёры"],
    ["OTHER", "Другое"],
  ],
  COMPANY_TYPE: [
    ["CUSTOMER", "Клиент"],
    ["SUPPLIER", "Поставщик"],
    ["PARTNER", "Партнёр"],
    ["OTHER", "Другое"],
  ],
  INDUSTRY: [
    ["IT", "Информационные технологии"],
    ["CONSTRUCTION", "Строительство"],
    ["TRADE", "Торговля"],
    ["SERVICES", "Услуги"],
    ["CULTURE", "Культура"],
    ["OTHER", "Другое"],
  ],
  EMPLOYEES: [
    ["EMPLOYEES_1", "менее 50"],
    ["EMPLOYEES_2", "50-250"],
    ["EMPLOYEES_3", "250-500"],
    ["EMPLOYEES_4", "более 500"],
  ],
  HONORIFIC: [
    ["HNR_RU_1", "г-н"],
    ["HNR_RU_2", "г-жа"],
  ],
};
