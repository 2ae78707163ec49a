/** A topic in one language: `#` is replaced by a number, `@` by a company. */
export interface Topic {
  title: string;
  asks: readonly string[];
  answers: readonly string[];
}

/** A language's people, companies and topics. */
export interface Language {
  people: readonly string[];
  companies: readonly string[];
  topics: readonly Topic[];
  thanks: readonly string[];
  called: string;
}

export const RU: Language = {
  people: [
    "Анна Юдина",
    "Илья Данилов",
    "Марина Лещук",
    "Олег Мельник",
    "Светлана Громова",
    "Тимур Ахметов",
    "Вера Зотова",
  ],
  companies: ["Атлас", "Вектор", "Зерно", "Сервер-Центр", "Белый кит", "Полюс", "Меридиан", "Лотос"],
  topics: [
    {
      title: "Возврат по заказу #",
      asks: ["Верните деньги за заказ #: коробка пришла пустой.", "Хочу вернуть заказ #, размер не подошёл."],
      answers: [
        "Возврат по заказу # оформлен, деньги придут за три дня.",
        "Оформила возврат заказа #. Курьер заедет завтра.",
      ],
    },
    {
      title: "Доставка в «@»",
      asks: ["Где наша доставка? Заказ # обещали ещё во вторник.", "Когда приедет заказ # для «@»?"],
      answers: [
        "Заказ # в пути, курьер будет у «@» завтра до обеда.",
        "Доставка задержалась на складе, новый срок: четверг.",
      ],
    },
    {
      title: "Счёт # для «@»",
      asks: ["Пришлите счёт # ещё раз, бухгалтерия его потеряла.", "В счёте # неверная сумма, посмотрите, пожалуйста."],
      answers: ["Отправила счёт # на почту «@».", "Вы правы, в счёте # была старая цена. Исправила."],
    },
    {
      title: "Запись на приём",
      asks: ["Можно записаться на субботу утром?", "Перенесите, пожалуйста, мою запись на понедельник."],
      answers: ["Записала вас на субботу, 10:30.", "Перенесла вашу запись на понедельник, 12:00."],
    },
    {
      title: "Сделка #: условия",
      asks: ["Подними сумму сделки # и поставь созвон на среду.", "Какая скидка по сделке #?"],
      answers: ["Сумма сделки # изменена, созвон стоит на среду.", "По сделке # согласована скидка 12 %."],
    },
  ],
  thanks: ["Спасибо!", "Отлично, жду.", "Понял, благодарю."],
  called: "Клиент просит человека",
};

export const EN: Language = {
  people: [
    "Grace Okafor",
    "Daniel Reyes",
    "Hanna Lindqvist",
    "Tom Whitfield",
    "Priya Nair",
    "Lucas Meyer",
    "Zoe Carter",
  ],
  companies: ["Norlund", "Brightwater", "Halden", "Quarry & Sons", "Larkspur", "Vantage", "Copperline"],
  topics: [
    {
      title: "Refund for order #",
      asks: ["Please refund order #: the box was empty.", "I want to send order # back, it is the wrong size."],
      answers: ["The refund for order # is on its way; allow three days.", "I have booked a pickup for order #."],
    },
    {
      title: "Delivery to @",
      asks: ["Where is our delivery? Order # was promised for Tuesday.", "When will order # reach @?"],
      answers: [
        "Order # is in transit and reaches @ tomorrow morning.",
        "It waits at customs; the carrier says Thursday.",
      ],
    },
    {
      title: "Invoice # for @",
      asks: ["Can you send invoice # again? Accounting lost it.", "The total of invoice # is wrong, please check."],
      answers: ["I have sent invoice # to @.", "You are right, invoice # had last year's price. It is corrected."],
    },
    {
      title: "Card ending in #",
      asks: ["I lost my card, block it please.", "There are two charges of the same sum on my card."],
      answers: ["Your card is blocked; a new one arrives within a week.", "One of the charges is reversed."],
    },
    {
      title: "Password and access",
      asks: ["I cannot sign in since the update.", "Please give our new colleague at @ access."],
      answers: ["I have sent you a link to set a new password.", "Access for @ is granted."],
    },
  ],
  thanks: ["Thank you!", "Great, thanks.", "That was quick."],
  called: "The customer asks for a person",
};
