type User = [id: number, name: string, lastName: string, position: string, email: string, department: number];

/**
 * The people of the demo company, «Лаборатория света», which designs and sells lighting. The first owns the webhook.
 */
export const USERS: User[] = [
  [1, "Анна", "Соколова", "Генеральный директор", "sokolova", 1],
  [2, "Илья", "Морозов", "Руководитель отдела продаж", "morozov", 2],
  [3, "Мария", "Ким", "Менеджер по продажам", "kim", 2],
  [4, "Тимур", "Ахметов", "Менеджер по продажам", "akhmetov", 2],
  [5, "Ольга", "Дроздова", "Руководитель проектов", "drozdova", 3],
  [6, "Павел", "Чернов", "Инженер-светотехник", "chernov", 3],
  [7, "Emma", "Clarke", "Partner Manager", "clarke", 2],
  [8, "Светлана", "Юдина", "Главный бухгалтер", "yudina", 1],
  [9, "Денис", "Лапин", "Менеджер по продажам", "lapin", 2],
];

/** A former employee, still referenced by old deals. */
export const DISMISSED = 9;

/** Owner, moderator, member. */
type Role = "A" | "E" | "K";

interface Group {
  id: string;
  name: string;
  description: string;
  isProject: boolean;
  /** How many days ago it was created. */
  age: number;
  members: [user: number, role: Role][];
}

export const GROUPS: Group[] = [
  {
    id: "5",
    name: "Отдел продаж",
    description: "План, воронка и разбор звонков",
    isProject: false,
    age: 420,
    members: [
      [2, "A"],
      [3, "K"],
      [4, "K"],
      [7, "K"],
    ],
  },
  {
    id: "7",
    name: "Отель «Речной»: номерной фонд",
    description: "Свет в 64 номерах и лобби; сдача до конца квартала",
    isProject: true,
    age: 55,
    members: [
      [5, "A"],
      [6, "E"],
      [3, "K"],
      [8, "K"],
    ],
  },
  {
    id: "8",
    name: "Сервис и гарантия",
    description: "Выезды, замены, гарантийные случаи",
    isProject: false,
    age: 300,
    members: [
      [5, "A"],
      [6, "K"],
      [4, "K"],
    ],
  },
  {
    id: "11",
    name: "Partners Europe",
    description: "Nordlicht, Blue Harbor and whoever comes next",
    isProject: true,
    age: 120,
    members: [
      [7, "A"],
      [1, "E"],
      [6, "K"],
    ],
  },
];
