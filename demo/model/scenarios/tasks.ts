import type { Scenario, ScriptedCall, Value } from "../script.ts";
import { CLOSE_GOAL, SET_GOAL } from "./goals.ts";
import { ABOUT, CHANGE, SHOW } from "./words.ts";

const TASK: Value = {
  otherwise: "memory.objects.current_task_id",
  ask: {
    en: "Which task is it? Say its number too; “list tasks” shows them.",
    ru: "О какой задаче речь? Назовите и её номер; номера покажет «список задач».",
  },
};

const READ: ScriptedCall = { tool: "tasks.task.get", as: "before", params: { taskId: "{task}" } };
/** Read again, because the change may have been edited on approval. */
const READ_AGAIN: ScriptedCall = { ...READ, as: "after" };

const DEADLINE = { en: "(deadline|due date|date)", ru: "(крайний срок|крайнего срока|срок*|дедлайн*|дат*)" } as const;
const MOVE = {
  en: `(${CHANGE.en}|move|postpone|shift|extend|reschedule|delay|push)`,
  ru: `(${CHANGE.ru}|перенес*|перенос*|сдвин*|отлож*|продл*|передвин*)`,
} as const;

const moveDeadline: Scenario = {
  name: "move a task's deadline",
  phrases: {
    en: [
      `${MOVE.en} [the] ${DEADLINE.en} (of|for|on|in) [the] task {task:number} (to|till|until|by|for|on) {deadline:date}`,
      `${MOVE.en} [the] task {task:number}('s|) [${DEADLINE.en}] (to|till|until|by|for|on) {deadline:date}`,
      `${MOVE.en} (its|the) ${DEADLINE.en} (to|till|until|by|for|on) {deadline:date}`,
      `${MOVE.en} [the] ${DEADLINE.en} (of|for|on|in) [the] task {task:number}`,
      "(postpone|reschedule|delay) [the] task {task:number}",
    ],
    ru: [
      `${MOVE.ru} ${DEADLINE.ru} [(у|по|для|в)] задач* {task:number} (на|до|к) {deadline:date}`,
      `${MOVE.ru} [(у|по|для|в)] задач* {task:number} [${DEADLINE.ru}] (на|до|к) {deadline:date}`,
      `${MOVE.ru} [(её|ее)] ${DEADLINE.ru} [(задачи|этой задачи)] (на|до|к) {deadline:date}`,
      `${MOVE.ru} ${DEADLINE.ru} [(у|по|для|в)] задач* {task:number}`,
      "(перенес*|отлож*|сдвин*) задач* {task:number}",
    ],
  },
  example: { en: "move the deadline of task 456 to tomorrow", ru: "перенеси срок задачи 456 на завтра" },
  values: {
    task: TASK,
    deadline: {
      ask: {
        en: "To which day? Say it all at once, as in “move the deadline of task 456 to 5 May” or “… to tomorrow at 18:00”.",
        ru: "На какой день? Скажите всё сразу, например: «перенеси срок задачи 456 на 5 мая» или «… на завтра в 18:00».",
      },
    },
  },
  wish: {
    en: "move the deadline of task {task} to {deadline|date}",
    ru: "перенести срок задачи {task} на {deadline|date}",
  },
  steps: [
    [SET_GOAL, READ],
    [
      {
        tool: "tasks.task.update",
        params: { taskId: "{task}", fields: { DEADLINE: "{deadline}" } },
      },
    ],
    [CLOSE_GOAL, READ_AGAIN],
  ],
  say: {
    en: [
      "Done: the deadline of task {task} “{after.task.title}” is now **{after.task.deadline|date}**.[? It was {before.task.deadline|date}.]",
    ],
    ru: [
      "Готово: срок задачи {task} «{after.task.title}» теперь **{after.task.deadline|date}**.[? Был {before.task.deadline|date}.]",
    ],
  },
};

const changeResponsible: Scenario = {
  name: "change who is responsible for a task",
  phrases: {
    en: [
      "(change|set) [the] responsible [(person|user)] (of|for|on|in) [the] task {task:number} to [user] {user:number}",
      "(assign|reassign|hand [over]|give|transfer) [the] task {task:number} to [user] {user:number}",
      "make user {user:number} responsible for [the] task {task:number}",
      "(change|set) [the] responsible [(person|user)] (of|for|on|in) [the] task {task:number}",
      "(assign|reassign|hand over|transfer) [the] task {task:number}",
    ],
    ru: [
      `(${CHANGE.ru}|назнач*) (ответственн*|исполнител*) [(по|в|у|за|для|на)] задач* {task:number} [на] [(пользовател*|сотрудник*)] {user:number}`,
      "назнач* [(пользовател*|сотрудник*)] {user:number} (ответственн*|исполнител*) [(за|по|в|на)] задач* {task:number}",
      "(передай|передать|переназнач*|отдай) задач* {task:number} [на] [(пользовател*|сотрудник*)] {user:number}",
      `(${CHANGE.ru}|назнач*) (ответственн*|исполнител*) [(по|в|у|за|для|на)] задач* {task:number}`,
      "(передай|передать|переназнач*) задач* {task:number}",
    ],
  },
  values: {
    task: TASK,
    user: {
      ask: {
        en: "Who is to be responsible? Say the user's number, as in “assign task 456 to user 2”; “list users” shows them.",
        ru: "Кого назначить? Назовите номер сотрудника, например: «передай задачу 456 сотруднику 2»; номера покажет «список сотрудников».",
      },
    },
  },
  wish: {
    en: "make user {user} responsible for task {task}",
    ru: "назначить сотрудника {user} ответственным за задачу {task}",
  },
  steps: [
    [SET_GOAL, READ],
    [
      {
        tool: "tasks.task.update",
        params: { taskId: "{task}", fields: { RESPONSIBLE_ID: "{user}" } },
      },
    ],
    [CLOSE_GOAL, READ_AGAIN],
  ],
  say: {
    en: ["Done: user {after.task.responsibleId} is now responsible for task {task} “{after.task.title}”."],
    ru: ["Готово: за задачу {task} «{after.task.title}» теперь отвечает сотрудник {after.task.responsibleId}."],
  },
};

const create: Scenario = {
  name: "create a task",
  phrases: {
    en: [
      "(create|add|make|new) [a] [new] task [to] {title:words} (by|until|till|due|for) {deadline:date}$",
      "(create|add|make|new) [a] [new] task$",
      "(create|add|make|new) [a] [new] task [to] {title:words}",
      "remind me to {title:words}",
    ],
    ru: [
      "(созда*|добав*|постав*|завед*|завести|новая) [новую] (задачу|задача) {title:words} (до|к|на) {deadline:date}$",
      "(созда*|добав*|постав*|завед*|завести|новая) [новую] (задачу|задача)$",
      "(созда*|добав*|постав*|завед*|завести|новая) [новую] (задачу|задача) {title:words}",
      "напомни [мне] {title:words}",
    ],
  },
  example: { en: "create a task: call Anna by tomorrow", ru: "создай задачу: позвонить Анне до завтра" },
  values: {
    title: {
      ask: {
        en: "What is to be done? Say it all at once, as in “create a task: call Anna by tomorrow”.",
        ru: "Что нужно сделать? Скажите всё сразу, например: «создай задачу: позвонить Анне до завтра».",
      },
    },
  },
  wish: { en: "create the task “{title}”", ru: "создать задачу «{title}»" },
  steps: [
    [{ tool: "user.current", as: "me", params: {} }],
    [
      {
        tool: "tasks.task.add",
        as: "made",
        params: { fields: { TITLE: "{title}", RESPONSIBLE_ID: "{me.ID}", DEADLINE: "{deadline}" } },
      },
    ],
  ],
  say: {
    en: ["Done: task {made.task.id} “{made.task.title}” was created[? (due {deadline|date})]."],
    ru: ["Готово: создана задача {made.task.id} «{made.task.title}»[? (срок: {deadline|date})]."],
  },
};

const show: Scenario = {
  name: "show a task",
  phrases: {
    en: [
      `${SHOW.en} [me] [the] task {task:number}`,
      "^task {task:number}$",
      `${SHOW.en} [me] [(the|this|that|the current)] task$`,
    ],
    ru: [
      `${SHOW.ru} ${ABOUT.ru} задач* {task:number}`,
      "^задача {task:number}$",
      `${SHOW.ru} ${ABOUT.ru} [(текущ*|ту)] (задача|задачу|задаче|задачей)$`,
    ],
  },
  values: { task: TASK },
  wish: { en: "show task {task}", ru: "показать задачу {task}" },
  steps: [[{ ...READ, as: "found" }]],
  say: {
    en: [
      "**Task {task}: {found.task.title}**",
      "",
      "[?- Due: {found.task.deadline|date}]",
      "- Responsible: user {found.task.responsibleId}",
      "[?- {found.task.description}]",
    ],
    ru: [
      "**Задача {task}: {found.task.title}**",
      "",
      "[?- Срок: {found.task.deadline|date}]",
      "- Ответственный: сотрудник {found.task.responsibleId}",
      "[?- {found.task.description}]",
    ],
  },
};

/** Actions on tasks. */
export const TASKS: readonly Scenario[] = [create, moveDeadline, changeResponsible, show];
