import type { Scenario } from "../script.ts";
import { DEMO_BOOKING } from "./demo-booking.ts";
import { BUSINESS, CHOSEN, EMPLOYEE, SERVICE } from "./demo-employee.ts";
import { CALL_MANAGER, MANAGER_CALLED, MANAGER_REQUEST } from "./manager.ts";
import { DEMO as SHOWN } from "./words.ts";

const otherBusiness: Scenario = {
  ...EMPLOYEE,
  name: "demo: tell how to see another business",
  phrases: {
    en: [
      "(another|other|different) (business*|compan*|niche|field|demo*)",
      `${SHOWN.en} (for|of|with) {other:business}`,
      "how (do|can) (i|we) (stop|leave|quit|end|exit)",
    ],
    ru: [
      "(друг*|ин*) (бизнес*|компани*|ниш*|сфер*|демо*)",
      `${SHOWN.ru} (для|про|на примере) {other:business}`,
      "как [(мне|тут)] (выйти|остановить|закончить|прекратить|завершить)",
      "(заверш*|закончи*|останов*|прекрати*|выйти из) (демо*|это)",
    ],
  },
  lookups: BUSINESS,
  say: {
    en: [
      "This demonstration is about “{company}”. Write “stop” to go back to the administrator, then, for example, “show a demo for a car service”.",
    ],
    ru: [
      "Эта демонстрация идёт от имени компании «{company}». Напишите «стоп», чтобы вернуться к администратору, а затем, например, «покажи демо для автосервиса».",
    ],
  },
};

const begin: Scenario = {
  ...EMPLOYEE,
  name: "demo: begin again",
  phrases: { en: [SHOWN.en], ru: [SHOWN.ru] },
  lookups: BUSINESS,
  say: { en: ["{welcome}"], ru: ["{welcome}"] },
};

const who: Scenario = {
  ...EMPLOYEE,
  name: "demo: tell who speaks",
  phrases: {
    en: [
      "(who|what) (are|is) (you|this)",
      "are you (a|an|the|real|human) [(bot|robot|human|person|machine|ai|real)]",
      "^(help|what can you do|what can i (ask|say)|how can you help)",
    ],
    ru: [
      "(кто вы|вы кто|ты кто|кто ты|кто это|с кем я)",
      "(ты|вы) [(это|что|правда)] (бот|робот|человек|живой|настоящ*|нейросеть|программа|ии)",
      "^(помощь|справка|что (ты|вы) (умеешь|умеете|можешь|можете)|чем [(ты|вы)] (можете|можешь) помочь)",
    ],
  },
  lookups: BUSINESS,
  say: {
    en: [
      "I am {business.person} at “{company}”. {business.can}",
      "",
      "To be honest, this is a demonstration: the company is made up, and I follow written scenarios. Try, for example:",
      "",
      { each: "examples", line: "- {it}" },
    ],
    ru: [
      "На связи {business.person}, «{company}». {business.can}",
      "",
      "Если честно, это демонстрация: компания вымышлена, а отвечаю я по записанным сценариям. Попробуйте, например:",
      "",
      { each: "examples", line: "- {it}" },
    ],
  },
};

const complaint: Scenario = {
  ...EMPLOYEE,
  name: "demo: hand a complaint to a manager",
  phrases: {
    en: [
      "(complain*|refund*|money back|unhappy|dissatisfied|disappointed|outrage*|rude|(terrible|awful|bad|poor) (service|experience|quality)|not (happy|satisfied|pleased)|you ruined)",
    ],
    ru: [
      "(жалоб*|пожалова*|претензи*|недовол*|возмущ*|ужасн(ый|ая|ое|ые)|отвратительн*|безобрази*|нахам*|хамит|хамство|грубят|нагруби*|испорти*|обман*|разочаров*)",
      "(верните|вернуть|возврат*) [(мне|мои|наши)] (деньги|денег|оплату|предоплату)",
      "не (доволен|довольна|довольны|понравилось|понравился|понравилась)",
    ],
  },
  example: { en: "I have a complaint", ru: "у меня жалоба" },
  lookups: BUSINESS,
  texts: {
    alert: {
      en: "Demonstration of “{company}” ({business.niche}): a customer complains. The message: “{message|clipped}”",
      ru: "Демонстрация «{company}» ({business.niche}): жалоба клиента. Сообщение: «{message|clipped}»",
    },
    why: { en: "a complaint", ru: "жалоба" },
  },
  wish: MANAGER_REQUEST,
  steps: [[CALL_MANAGER]],
  say: MANAGER_CALLED,
};

const priceOfOne: Scenario = {
  ...EMPLOYEE,
  name: "demo: tell one price",
  phrases: {
    en: ["(how much|price*|cost*|what do you charge|rate*)"],
    ru: ["(сколько|цен*|стоимост*|стоит|стоят|почём|почем|прайс*)"],
  },
  lookups: CHOSEN,
  say: {
    en: ["**{chosen.name}** — {chosen.price}. {business.offer}"],
    ru: ["**{chosen.name}** — {chosen.price}. {business.offer}"],
  },
};

const prices: Scenario = {
  ...EMPLOYEE,
  name: "demo: tell all prices",
  phrases: {
    en: [
      "(how much|price*|cost*|what do you charge|rate*|menu|list)",
      "(what|which) [(kinds of|other)] (services|products|goods|rooms|treatments|courses|classes|dishes|do you (have|offer|sell|do))",
      "what (is|have you) [got] (there|on offer|available|in stock)",
      "^[(your|the)] services$",
    ],
    ru: [
      "(сколько [(это|всё|у вас)] (стоит|стоят|будет)|цены|цена|цене|ценам|ценах|стоимост*|почём|почем|прайс*|расценк*|меню|ассортимент*|каталог*)",
      "(какие|какой|что) [(у вас|вы)] [(есть|ещё|еще|за|по)] [(услуг*|товар*|номер*|букет*|блюд*|занят*|курс*|предлагаете|продаёте|продаете|делаете|есть)]$",
      "(какие|расскаж*|перечисл*|покаж*) [(мне|о|об|про|ваши|у вас)] [(о|об|про|ваш*|есть|все)] (услуг*|товар*|номера*|букет*|блюд*|занят*|курс*)",
      "^[(ваши)] услуги$",
    ],
  },
  example: { en: "what are your prices?", ru: "какие у вас цены?" },
  lookups: BUSINESS,
  say: {
    en: ["Here is what we offer:", "", SERVICE, "", "{business.ask_what}"],
    ru: ["Вот что у нас есть:", "", SERVICE, "", "{business.ask_what}"],
  },
};

const hours: Scenario = {
  ...EMPLOYEE,
  name: "demo: tell opening hours",
  phrases: {
    en: [
      "(opening|working|business|office) (hours|times|time)",
      "(when|what time|how late|until when|till when|are) [(do|are|is)] (you|it) [(be)] (open|close*|work*|start)",
      "^(hours|schedule|timetable)$",
      "(open|work) (today|tomorrow|on weekends|at weekends|on sunday*|on saturday*)",
    ],
    ru: [
      "(режим*|час*|график*|время) [вашей] работ*",
      "(когда|как|до скольки|до какого часа|со скольки|с какого часа|во сколько) [(вы|у вас)] [(сегодня|завтра)] (работа*|открыт*|открыва*|закрыва*)",
      "(работаете|открыты) [(ли|вы)] [(сегодня|завтра|сейчас|в выходные|в субботу|в воскресенье|по выходным)]",
      "^(график|часы|расписание)$",
    ],
  },
  example: { en: "what are your opening hours?", ru: "когда вы работаете?" },
  lookups: BUSINESS,
  say: { en: ["Our hours: {business.hours}."], ru: ["Часы работы: {business.hours}."] },
};

const place: Scenario = {
  ...EMPLOYEE,
  name: "demo: tell where it is",
  phrases: {
    en: [
      "(where|what is) (are|is) [(you|it|your)] [(located|place|office|shop|based)]",
      "(address|location|how (do|can) i (get|find) [(to|there)])",
      "parking",
      "(phone|number|contact*)",
    ],
    ru: [
      "(где [(вы|вас|у вас|ваш*)]|адрес*|как [(к вам|до вас|вас)] (добраться|доехать|пройти|найти))",
      "(парковк*|припарков*)",
      "(телефон*|контакт*|позвонить|дозвониться)",
    ],
  },
  lookups: BUSINESS,
  say: {
    en: [
      "“{company}” is at 12 Garden Street, five minutes from the metro, with parking in the yard. Phone: +7 495 000-00-00. (The address and the number are made up, as this is a demonstration.)",
    ],
    ru: [
      "«{company}» находится на улице Садовой, 12: пять минут от метро, во дворе есть парковка. Телефон: +7 495 000-00-00. (Адрес и телефон вымышлены: это демонстрация.)",
    ],
  },
};

const payment: Scenario = {
  ...EMPLOYEE,
  name: "demo: tell how to pay",
  phrases: {
    en: ["(pay|payment*|card|cards|cash|deposit|prepay*|instalments|installments)"],
    ru: ["(оплат*|заплат*|платить|картой|наличн*|предоплат*|рассрочк*|депозит*)"],
  },
  lookups: BUSINESS,
  say: {
    en: ["You can pay in cash, by card or by bank transfer; no prepayment is needed."],
    ru: ["Оплатить можно наличными, картой или переводом; предоплата не нужна."],
  },
};

const delivery: Scenario = {
  ...EMPLOYEE,
  name: "demo: tell about delivery",
  phrases: {
    en: ["(deliver*|ship*|pick it up|pick up|courier)"],
    ru: ["(достав*|привез*|привоз*|курьер*|самовывоз*)"],
  },
  lookups: BUSINESS,
  say: { en: ["{business.delivery}"], ru: ["{business.delivery}"] },
};

const named: Scenario = {
  ...EMPLOYEE,
  name: "demo: offer what is named",
  lookups: CHOSEN,
  say: priceOfOne.say,
};

const greet: Scenario = {
  ...EMPLOYEE,
  name: "demo: greet",
  phrases: {
    en: ["^(hi|hello|hey|good (morning|afternoon|evening|day)|greetings)"],
    ru: ["^(привет*|здравствуй*|добрый (день|вечер)|доброе утро|доброго дня)"],
  },
  lookups: BUSINESS,
  say: {
    en: ["Hello! This is {business.person} at “{company}”. {business.can}"],
    ru: ["Здравствуйте! Это «{company}», на связи {business.person}. {business.can}"],
  },
};

const thanks: Scenario = {
  ...EMPLOYEE,
  name: "demo: take thanks",
  phrases: {
    en: ["(thanks|thank you|thx|cheers)", "^(great|ok|okay|good|perfect|fine|nice)$"],
    ru: ["(спасибо|благодар*)", "^(отлично|хорошо|ок|окей|понятно|ясно|супер|класс|ладно)$"],
  },
  lookups: BUSINESS,
  say: {
    en: ["You are welcome! Write any time."],
    ru: ["Пожалуйста! Обращайтесь."],
  },
};

const farewell: Scenario = {
  ...EMPLOYEE,
  name: "demo: say goodbye",
  phrases: {
    en: ["(bye|goodbye|see you)"],
    ru: ["(до свидания|до встречи|всего доброго|всего хорошего)", "^пока$"],
  },
  lookups: BUSINESS,
  say: {
    en: ["Goodbye! To go back to the administrator, write “stop”."],
    ru: ["До свидания! Чтобы вернуться к администратору, напишите «стоп»."],
  },
};

const beyond: Scenario = {
  ...EMPLOYEE,
  name: "demo: say that it cannot",
  lookups: BUSINESS,
  say: {
    en: [
      "I have no answer to that: this is a demonstration, and it follows written scenarios. With a real model “{company}” would answer in its own words. Here you can try:",
      "",
      { each: "examples", line: "- {it}" },
      "",
      "Write “stop” to go back to the administrator.",
    ],
    ru: [
      "На это у меня нет ответа: это демонстрация, и она идёт по записанным сценариям. С настоящей моделью «{company}» ответит своими словами. А здесь можно попробовать:",
      "",
      { each: "examples", line: "- {it}" },
      "",
      "Чтобы вернуться к администратору, напишите «стоп».",
    ],
  },
};

const TOLD: readonly Scenario[] = [otherBusiness, who, priceOfOne, prices, hours, place, payment, delivery];

/** The replies of an employee of the business (D4). The last one matches everything. */
export const DEMO: readonly Scenario[] = [
  ...TOLD,
  ...DEMO_BOOKING,
  complaint,
  named,
  begin,
  greet,
  thanks,
  farewell,
  beyond,
];
