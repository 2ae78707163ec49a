import type { JsonObject } from "../../../lib/session/json/json.ts";
import type { Locale } from "../../../lib/session/locale.ts";
import { FORMATS } from "../formats.ts";
import type { InBoth } from "../script.ts";
import { DEALINGS, type Dealing } from "./dealings.ts";

/** A kind of business for demonstrations: services, opening hours, and an employee. */
interface Business {
  /** Its names, as a phrase of both languages. */
  said?: string;
  dealing: Dealing;
  niche: InBoth<string>;
  /** Its description, if its name is not enough. */
  called?: string;
  company: InBoth<string>;
  /** The employee. */
  person: InBoth<string>;
  hours: InBoth<string>;
  /** Its services, in roubles; `said` are their names. */
  services: readonly (readonly [price: number, said: string, en: string, ru: string])[];
}

const DAILY = {
  morning: { en: "daily from 8 am to 9 pm", ru: "ежедневно с 8:00 до 21:00" },
  day: { en: "daily from 9 am to 9 pm", ru: "ежедневно с 9:00 до 21:00" },
  late: { en: "daily from noon to 11 pm", ru: "ежедневно с 12:00 до 23:00" },
  always: { en: "around the clock, check-in from 2 pm", ru: "круглосуточно, заезд с 14:00" },
} as const;
const WEEKDAYS = {
  en: "Monday to Friday from 10 am to 7 pm",
  ru: "с понедельника по пятницу с 10:00 до 19:00",
} as const;

const receptionist = (en: string, ru: string): InBoth<string> => ({
  en: `${en}, the receptionist`,
  ru: `администратор ${ru}`,
});

const FLOWER_SHOP = { en: "flower shop", ru: "цветочный магазин" } as const;

const KNOWN: readonly Business[] = [
  {
    said: "(стоматолог*|зубн*|дантист*|dentist*|dental|dentistry)",
    dealing: "visit",
    niche: { en: "dental clinic", ru: "стоматология" },
    company: { en: "White Line", ru: "Белая линия" },
    person: receptionist("Irina", "Ирина"),
    hours: DAILY.day,
    services: [
      [1_000, "(осмотр*|консультац*|check*|consultation)", "Check-up and advice", "Осмотр и консультация"],
      [5_500, "(чистк*|почистить|гигиен*|cleaning|hygien*)", "Professional cleaning", "Профессиональная чистка"],
      [6_500, "(кариес*|пломб*|леч*|болит|filling*|cavity|caries|toothache)", "Filling", "Лечение кариеса"],
      [18_000, "(отбел*|whitening|bleaching)", "Whitening", "Отбеливание"],
    ],
  },
  {
    said: "(ветеринар*|ветклиник*|зооклиник*|vet|vets|veterinar*|(animal|pet) clinic)",
    dealing: "visit",
    niche: { en: "veterinary clinic", ru: "ветеринарная клиника" },
    company: { en: "Good Paws", ru: "Добрые лапы" },
    person: receptionist("Marina", "Марина"),
    hours: DAILY.day,
    services: [
      [1_500, "(осмотр*|приём*|прием*|консультац*|check*|examination)", "Examination by a vet", "Приём ветеринара"],
      [2_200, "(прививк*|вакцин*|vaccin*|shot*)", "Vaccination", "Вакцинация"],
      [2_800, "(узи|ultrasound)", "Ultrasound", "УЗИ"],
      [3_500, "(груминг*|стри*|grooming|haircut)", "Grooming", "Груминг"],
    ],
  },
  {
    said: "(салон* красоты|парикмахер*|барбершоп*|маникюр*|косметолог*|бьюти*|стилист*|beauty|hair*|barber*|nail*|spa)",
    dealing: "visit",
    niche: { en: "beauty salon", ru: "салон красоты" },
    company: { en: "Lavender", ru: "Лаванда" },
    person: receptionist("Alina", "Алина"),
    hours: DAILY.day,
    services: [
      [2_500, "(стриж*|подстри*|haircut*|cut)", "Haircut", "Стрижка"],
      [6_000, "(окраш*|покра*|colour*|color*|dye*)", "Colouring", "Окрашивание"],
      [2_800, "(маникюр*|ногт*|manicure|nail*)", "Manicure with polish", "Маникюр с покрытием"],
      [3_500, "(чистк* лица|уход*|лиц*|facial|face)", "Facial", "Уход за лицом"],
    ],
  },
  {
    said: "(фитнес*|спортзал*|тренажёрн*|тренажерн*|спортивн* клуб*|спортклуб*|йог*|пилатес*|fitness|gym*|yoga|pilates)",
    dealing: "visit",
    niche: { en: "fitness club", ru: "фитнес-клуб" },
    company: { en: "Second Wind", ru: "Второе дыхание" },
    person: receptionist("Denis", "Денис"),
    hours: DAILY.morning,
    services: [
      [500, "(пробн*|разов*|первое|trial|single)", "Trial session", "Пробное занятие"],
      [4_500, "(абонемент*|месяц*|membership|month*)", "Monthly membership", "Абонемент на месяц"],
      [2_500, "(персональн*|тренер*|личн*|personal|trainer)", "Session with a trainer", "Персональная тренировка"],
      [900, "(группов*|йог*|пилатес*|group|yoga|pilates|class*)", "Group class", "Групповое занятие"],
    ],
  },
  {
    said: "(языков* (школ*|курс*|центр*)|(школ*|курс*) (иностранн*|английск*|язык*)|английск*|language (school|courses)|english (school|courses)|languages)",
    dealing: "visit",
    niche: { en: "language school", ru: "языковая школа" },
    company: { en: "Open Book", ru: "Открытая книга" },
    person: { en: "Sofia, the coordinator", ru: "координатор София" },
    hours: DAILY.day,
    services: [
      [0, "(пробн*|тест*|уровень|trial|test|level)", "Trial lesson and level test", "Пробный урок и проверка уровня"],
      [7_200, "(групп*|group*)", "Group course, a month", "Групповой курс, месяц"],
      [2_000, "(индивидуальн*|личн*|individual|private)", "Private lesson", "Индивидуальное занятие"],
      [9_800, "(экзамен*|ielts|toefl|егэ|огэ|exam*)", "Exam preparation, a month", "Подготовка к экзамену, месяц"],
    ],
  },
  {
    said: "(автосервис*|автомастерск*|техцентр*|шиномонтаж*|автомойк*|ремонт* (авто*|машин*)|(car|auto) (service|repair*|wash)|garage|mechanic*|tyre*|tire*)",
    dealing: "visit",
    niche: { en: "car service", ru: "автосервис" },
    company: { en: "Pit Stop", ru: "Пит-стоп" },
    person: { en: "Pavel, the service adviser", ru: "мастер-приёмщик Павел" },
    hours: DAILY.day,
    services: [
      [1_500, "(диагност*|осмотр*|стуч*|diagnos*|check*)", "Diagnostics", "Диагностика"],
      [2_000, "(масл*|oil)", "Oil change", "Замена масла"],
      [
        3_200,
        "(шин*|резин*|колёс*|колес*|tyre*|tire*|wheel*)",
        "Tyre change, four wheels",
        "Шиномонтаж, четыре колеса",
      ],
      [4_500, "(тормоз*|колод*|brake*)", "Brake pads, one axle", "Замена колодок, одна ось"],
    ],
  },
  {
    said: "(цветы|цветов|цветами|цветочн*|флорист*|букет*|flower*|florist*|bouquet*)",
    dealing: "order",
    niche: FLOWER_SHOP,
    company: { en: "Peony", ru: "Пион" },
    person: { en: "Vera, the florist", ru: "флорист Вера" },
    hours: DAILY.morning,
    services: [
      [3_900, "(роз*|rose*)", "Bouquet of 15 roses", "Букет из 15 роз"],
      [3_200, "(пион*|peon*)", "Bouquet of peonies", "Букет пионов"],
      [4_500, "(авторск*|сборн*|букет*|bouquet*|designer|choice)", "Florist's choice", "Авторский букет"],
      [2_600, "(коробк*|композиц*|корзин*|box*|basket*|arrangement)", "Flowers in a box", "Композиция в коробке"],
    ],
  },
  {
    said: "(пекарн*|кондитер*|булочн*|хлеб*|торты|тортов|торт|baker*|pastr*|patisserie|cake*|confection*)",
    dealing: "order",
    niche: { en: "bakery", ru: "пекарня" },
    company: { en: "Warm Loaf", ru: "Тёплый хлеб" },
    person: { en: "Olga, the shop assistant", ru: "продавец Ольга" },
    hours: DAILY.morning,
    services: [
      [180, "(хлеб*|батон*|bread|loaf)", "Sourdough loaf", "Хлеб на закваске"],
      [150, "(круассан*|булоч*|выпеч*|croissant*|bun*|pastr*)", "Croissant", "Круассан"],
      [2_400, "(торт*|cake*)", "Cake to order, 1 kg", "Торт на заказ, 1 кг"],
      [950, "(пирог*|pie*)", "Apple pie", "Яблочный пирог"],
    ],
  },
  {
    said: "(кофейн*|кофе|кафе|coffee*|cafe*|café*)",
    dealing: "order",
    niche: { en: "coffee shop", ru: "кофейня" },
    company: { en: "First Cup", ru: "Первая чашка" },
    person: { en: "Nikita, the barista", ru: "бариста Никита" },
    hours: DAILY.morning,
    services: [
      [450, "(завтрак*|омлет*|сырник*|breakfast*|omelette)", "Breakfast", "Завтрак"],
      [320, "(десерт*|торт*|чизкейк*|пирожн*|dessert*|cake*|cheesecake)", "Cheesecake dessert", "Десерт чизкейк"],
      [1_400, "(зерн*|зёрн*|beans)", "Coffee beans, 500 g", "Кофе в зёрнах, 500 г"],
      [290, "(капучино|латте|кофе|эспрессо|раф|cappuccino|latte|coffee|espresso)", "Cappuccino", "Капучино"],
    ],
  },
  {
    said: "(ресторан*|бар|бара|баре|пиццери*|суши*|столовая|столовой|столовую|restaurant*|bistro|pizz*|bar|pub|diner)",
    dealing: "booking",
    niche: { en: "restaurant", ru: "ресторан" },
    company: { en: "The Veranda", ru: "Веранда" },
    person: receptionist("Anna", "Анна"),
    hours: DAILY.late,
    services: [
      [0, "(веранд*|террас*|veranda*|terrace*)", "Table on the veranda", "Столик на веранде"],
      [0, "(столик*|стол|table*)", "Table in the main room", "Столик в зале"],
      [650, "(ланч*|обед*|lunch*)", "Business lunch", "Бизнес-ланч"],
      [3_500, "(банкет*|праздн*|день рождения|banquet*|party|birthday)", "Banquet, per guest", "Банкет, за гостя"],
    ],
  },
  {
    said: "(отел*|гостиниц*|хостел*|гостев* дом*|апартамент*|hotel*|hostel*|guest house*|guesthouse*|apartments)",
    dealing: "booking",
    niche: { en: "hotel", ru: "гостиница" },
    company: { en: "Quiet Harbour", ru: "Тихая гавань" },
    person: receptionist("Elena", "Елена"),
    hours: DAILY.always,
    services: [
      [4_200, "(стандарт*|обычн*|одноместн*|standard|single)", "Standard room, a night", "Номер «Стандарт», за ночь"],
      [6_800, "(комфорт*|двухместн*|double|comfort)", "Double room, a night", "Двухместный номер, за ночь"],
      [9_500, "(люкс*|suite*)", "Suite, a night", "Люкс, за ночь"],
      [700, "(завтрак*|breakfast*)", "Breakfast", "Завтрак"],
    ],
  },
  {
    said: "(юрист*|юридическ*|адвокат*|нотариус*|нотариальн*|lawyer*|law|legal|attorney*|notar*)",
    dealing: "visit",
    niche: { en: "law firm", ru: "юридическая фирма" },
    company: { en: "Letter of the Law", ru: "Буква закона" },
    person: { en: "Kirill, the assistant", ru: "помощник юриста Кирилл" },
    hours: WEEKDAYS,
    services: [
      [3_000, "(консультац*|вопрос*|consultation|advice)", "Consultation, an hour", "Консультация, час"],
      [6_000, "(договор*|контракт*|contract*)", "Contract review", "Проверка договора"],
      [9_000, "(иск*|претенз*|claim*|lawsuit)", "Statement of claim", "Составление иска"],
      [15_000, "(регистрац*|ооо|ип|registration|company)", "Company registration", "Регистрация компании"],
    ],
  },
  {
    said: "(недвижимост*|риелтор*|риэлтор*|застройщик*|новостро*|real estate|realtor*|realty|property|estate agen*)",
    dealing: "visit",
    niche: { en: "real estate agency", ru: "агентство недвижимости" },
    company: { en: "Keys", ru: "Ключи" },
    person: { en: "Maxim, the agent", ru: "агент Максим" },
    hours: DAILY.day,
    services: [
      [0, "(консультац*|ипотек*|consultation|mortgage*)", "Mortgage advice", "Консультация по ипотеке"],
      [5_000, "(оцен*|valuation|apprais*)", "Valuation", "Оценка квартиры"],
      [60_000, "(продаж*|продать|сопровожд*|sale|sell*)", "Sale from start to finish", "Продажа под ключ"],
      [0, "(показ*|посмотр*|просмотр*|квартир*|viewing*|flat*|apartment*)", "Viewing of a flat", "Показ квартиры"],
    ],
  },
];

/** Any other: named as in the message. */
const OTHER: Business = {
  dealing: "request",
  niche: { en: "{niche}", ru: "{niche}" },
  called: "{niche}",
  company: { en: "Example", ru: "Пример" },
  person: { en: "Alex, the manager on duty", ru: "дежурный менеджер Саша" },
  hours: WEEKDAYS,
  services: [
    [0, "(консультац*|вопрос*|consultation|advice)", "First consultation", "Первая консультация"],
    [5_000, "(стандарт*|обычн*|standard|basic)", "Standard order", "Стандартный заказ"],
    [8_500, "(срочн*|быстр*|urgent|express)", "Urgent order", "Срочный заказ"],
  ],
};

function priceIn(price: number, locale: Locale): string {
  return price === 0 ? { en: "free", ru: "бесплатно" }[locale] : FORMATS.money(price, locale, "RUB");
}

function entryOf(locale: Locale) {
  return ({ said, called, dealing, niche, company, person, hours, services }: Business): JsonObject => ({
    ...(said === undefined ? {} : { said }),
    ...(called === undefined ? {} : { called }),
    niche: niche[locale],
    company: company[locale],
    person: person[locale],
    hours: hours[locale],
    services: services.map(([price, phrase, en, ru]) => ({
      said: phrase,
      name: { en, ru }[locale],
      price: priceIn(price, locale),
    })),
    ...DEALINGS[dealing][locale],
  });
}

/** As tables, in which a business is found by name. */
export const KNOWN_BUSINESSES = { en: KNOWN.map(entryOf("en")), ru: KNOWN.map(entryOf("ru")) };

/** The same, in which any business is found. */
export const BUSINESSES = { en: [...KNOWN, OTHER].map(entryOf("en")), ru: [...KNOWN, OTHER].map(entryOf("ru")) };

/** The default one. */
export const DEFAULT_BUSINESS = { en: [showpieceIn("en")], ru: [showpieceIn("ru")] };

function showpieceIn(locale: Locale): JsonObject {
  const { said: _, ...entry } = KNOWN_BUSINESSES[locale].find(({ niche }) => niche === FLOWER_SHOP[locale]) ?? {};
  return entry;
}
