type Task = [
  id: number,
  title: string,
  user: number,
  creator: number,
  /** Pending 2, in progress 3, awaiting control 4, completed 5, deferred 6. */
  status: number,
  /** In how many days it is due; overdue when negative and not completed. */
  due: number | null,
  /** Its CRM records: `D_123`, `C_456`, `CO_15`. */
  about: string[],
  group?: number,
];

export const TASKS: Task[] = [
  [447, "Подготовить смету для кофейни в аэропорту", 3, 2, 2, 4, ["D_107", "CO_13"], 5],
  [448, "Отправить договор в «Волга Девелопмент»", 2, 1, 3, -2, ["D_104", "CO_12"], 5],
  [449, "Замеры в номерах 201–216", 6, 5, 3, 3, ["D_111", "CO_15"], 7],
  [450, "Согласовать образцы бра с дизайнером отеля", 5, 5, 4, 1, ["D_111"], 7],
  [451, "Собрать документы на тендер «Северный порт»", 2, 1, 3, -5, ["D_113", "CO_16"], 5],
  [452, "Выставить финальный счёт: ЖК «Набережный»", 8, 2, 2, 2, ["D_103"]],
  [453, "Проверить дебиторскую задолженность за квартал", 8, 1, 2, -1, []],
  [454, "Назначить выезд по гарантии в шоурум", 6, 5, 2, 1, ["D_132"], 8],
  [455, "Презентация атриума для «Панорамы»", 4, 2, 6, null, ["D_117", "CO_20"], 5],
  [456, "Согласовать схему света с С. Власовым", 3, 2, 3, 5, ["D_123", "C_456"], 5],
  [457, "Send the price list to Nordlicht", 7, 1, 5, -8, ["D_137", "CO_18"], 11],
  [458, "Book the stand with Blue Harbor", 7, 7, 2, 12, ["D_140", "CO_19"], 11],
  [459, "Разобрать звонки недели", 2, 2, 5, -3, [], 5],
  [789, "Позвонить С. Власову по смете", 3, 3, 2, 2, ["D_123", "C_456"], 5],
];

/** Comments on tasks, oldest first. */
export const TASK_COMMENTS: [task: number, user: number, text: string, age: number][] = [
  [448, 8, "Реквизиты сверила, можно отправлять.", 4],
  [451, 2, "Не хватает справки из налоговой, запросил.", 6],
  [456, 3, "Клиент просит тёплый свет в гостиной, 2700 K.", 3],
  [449, 6, "Номера 201–208 готовы, завтра остальные.", 1],
];

/** Checklist items: text, and whether it is done. */
export const CHECK_LISTS: [task: number, items: [title: string, done: boolean][]][] = [
  [
    451,
    [
      ["Справка из налоговой", false],
      ["Банковская гарантия", true],
      ["Описание проекта", true],
    ],
  ],
  [
    456,
    [
      ["План этажей получен", true],
      ["Расчёт освещённости", true],
      ["Подпись клиента на схеме", false],
    ],
  ],
];

/** Meeting 1, call 2, e-mail 4. */
type ActivityType = 1 | 2 | 4;

type Activity = [
  type: ActivityType,
  subject: string,
  deal: number,
  contact: number,
  user: number,
  /** In how many days it is; past ones are done, unless missed. */
  day: number,
  missed?: "missed",
];

export const ACTIVITIES: Activity[] = [
  [2, "Первый звонок: дом под Звенигородом", 123, 456, 3, -12],
  [1, "Встреча на объекте, снять размеры", 123, 456, 3, -8],
  [4, "Письмо: варианты светильников и цены", 123, 456, 3, -5],
  [2, "Звонок: обсудить смету", 123, 456, 3, 2],
  [1, "Приёмка второй очереди шоурума", 101, 441, 2, 6],
  [2, "Напомнить о предоплате", 108, 445, 3, -1, "missed"],
  [4, "Коммерческое предложение: двор и парковка", 104, 444, 2, -9],
  [1, "Защита проекта у архитектора", 104, 444, 2, 4],
  [2, "Уточнить график работ в номерах", 111, 450, 5, -3],
  [1, "Авторский надзор, 3 этаж", 111, 449, 5, 1],
  [4, "Запрос документов на тендер", 113, 451, 2, -14],
  [2, "Вопросы комиссии", 113, 451, 2, -2, "missed"],
  [1, "Атриум: показ визуализаций", 117, 458, 4, 7],
  [2, "Сроки поставки люстр", 126, 464, 3, -6],
  [4, "Счёт и акт за основной зал", 126, 465, 3, -2],
  [2, "Call about volumes for next year", 137, 454, 7, -4],
  [1, "Review of the contract draft", 137, 454, 7, 5],
  [4, "Specification of the marine range", 139, 457, 7, -10],
  [2, "Согласовать время выезда", 132, 442, 6, 1],
  [1, "Осмотр экспозиции с хранителем", 121, 461, 5, 3],
];

/** Comments in the timelines of deals, oldest first. */
export const TIMELINE: [deal: number, user: number, text: string, age: number][] = [
  [101, 2, "Заказчик доволен первой очередью, просит ускорить вторую.", 20],
  [111, 5, "Отель просит сдавать номера этажами.", 15],
  [113, 2, "Конкуренты: «Прометей» и «Люмен-Строй».", 11],
  [123, 3, "Хочет сценарии света с телефона, но без удорожания.", 7],
  [126, 3, "Арт-директор выбрала латунь вместо хрома.", 12],
  [137, 7, "They want a fixed price until March.", 5],
];

/** Event subscriptions, with addresses that do not exist. */
export const BINDINGS: [event: string, handler: string][] = [
  ["ONCRMDEALADD", "https://example.test/hook"],
  ["ONTASKUPDATE", "https://example.test/tasks"],
];
