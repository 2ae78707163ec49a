import type { Texts } from "../texts.ts";
import { type Example, inEachLanguage, NUMBER, object, TEXT, tool } from "./example.ts";

const TEXTS = {
  en: {
    runOf: (km: string) => `A run of ${km} km`,
    gymOf: (gym: string) => `${gym} gym`,
    heldAt: (gym: string) => `${gym} gym, held until the evening`,
    title: "A run or the gym: by the weather",
    user: "Kyle Lapin",
    agent: "Schedule assistant",
    question:
      "Tomorrow at seven I want to go for a run in Riverside Park. If they forecast rain, book me into the gym. And put whichever it is in my calendar",
    answer:
      "Rain and 4 °C are forecast for seven tomorrow, so I booked the Northgate gym. The session is in your calendar, and I will remind you an hour before. Bring light clothes, and a jacket for the way.",
    park: "Riverside Park",
    gym: "Northgate",
    forecast: "Forecasts the weather for an hour",
    route: "Plans a run through a park",
    book: "Books the gym",
    hold: "Holds a place in the gym until the evening",
    event: "Adds an event to the calendar",
    outfit: "Suggests what to wear",
    remind: "Sets a reminder an hour before",
    reasoning: "Without a forecast it is better to hold a place and decide in the evening.",
    busy: "The weather service is overloaded",
    rain: "rain",
    treadmill: "Gym: treadmill",
    either: "Gym or run",
    advice: "Light clothes, a jacket for the way",
  },
  ru: {
    runOf: (km: string) => `Пробежка, ${km} км`,
    gymOf: (gym: string) => `Зал «${gym}»`,
    heldAt: (gym: string) => `Зал «${gym}», место до вечера`,
    title: "Пробежка или зал: по погоде",
    user: "Кирилл Лапин",
    agent: "Помощник по расписанию",
    question:
      "Завтра в семь хочу побегать в Нескучном саду. Если обещают дождь, запиши меня в зал. И поставь в календарь, что получится",
    answer:
      "Завтра в семь обещают дождь и +4 °C, поэтому записал вас в зал на Шаболовке. Тренировка стоит в календаре, за час напомню. Возьмите лёгкую форму и куртку на дорогу.",
    park: "Нескучный сад",
    gym: "Шаболовка",
    forecast: "Прогноз погоды на час",
    route: "Маршрут пробежки по парку",
    book: "Запись в зал",
    hold: "Место в зале без записи, до вечера",
    event: "Событие в календаре",
    outfit: "Что надеть",
    remind: "Напоминание за час",
    reasoning: "Без прогноза место лучше придержать: вечером решим.",
    busy: "Метеослужба перегружена",
    rain: "дождь",
    treadmill: "Зал: беговая дорожка",
    either: "Зал или пробежка",
    advice: "Лёгкая форма, куртка на дорогу",
  },
} satisfies Texts;

const FORECAST = object({ sky: TEXT, temperature: NUMBER, rain_chance: NUMBER });
const TRAINING = object({ title: TEXT, place: TEXT });

/** A branch by the weather: fine, rain, or no forecast. All three write the same path. */
export const weatherBranch = inEachLanguage(
  TEXTS,
  (t): Example => ({
    id: "demo-example-weather-branch",
    title: t.title,
    channel: "telegram",
    user: t.user,
    agent: t.agent,
    question: t.question,
    answer: t.answer,
    context: [{ type: "input", place: t.park, hour: 7, gym: t.gym, km: 6 }],
    tools: [
      tool("weather.forecast", t.forecast, { place: TEXT, hour: NUMBER, _output: FORECAST }),
      tool("parks.route", t.route, { park: TEXT, km: NUMBER, sky: TEXT, _output: TRAINING }),
      tool("gym.book", t.book, { gym: TEXT, hour: NUMBER, reason: TEXT, _output: TRAINING }),
      tool("gym.hold", t.hold, { gym: TEXT, reason: TEXT, _output: TRAINING }),
      tool("calendar.add", t.event, {
        title: TEXT,
        place: TEXT,
        hour: NUMBER,
        _output: object({ event_id: TEXT }),
        _outputPath: { const: "†state.event" },
      }),
      tool("outfit.suggest", t.outfit, { temperature: NUMBER, place: TEXT, _output: object({ advice: TEXT }) }),
      tool("reminders.set", t.remind, { title: TEXT, _output: object({ reminder_id: TEXT }) }),
    ],
    plan: [
      {
        _tool: "weather.forecast",
        _id: "forecast",
        place: "†input.place",
        hour: "†input.hour",
        _outputPath: "†state.fair || †state.rain || †state.forecast_error",
      },
      {
        _tool: "parks.route",
        _id: "run",
        park: "†input.place",
        km: "†input.km",
        sky: "†state.fair.sky",
        _outputPath: "†state.training",
      },
      {
        _tool: "gym.book",
        _id: "book",
        gym: "†input.gym",
        hour: "†input.hour",
        reason: "†state.rain.sky",
        _outputPath: "†state.training",
      },
      {
        _tool: "gym.hold",
        _id: "hold",
        _reasoningForCall: t.reasoning,
        gym: "†input.gym",
        reason: "†state.forecast_error.message",
        _outputPath: "†state.training",
      },
      {
        _tool: "calendar.add",
        _id: "calendar",
        title: "†state.training.title",
        place: "†state.training.place",
        hour: "†input.hour",
      },
      {
        _tool: "outfit.suggest",
        _id: "outfit",
        temperature: "†state.fair.temperature || †state.rain.temperature",
        place: "†state.training.place",
        _outputPath: "†state.outfit",
      },
      {
        _tool: "reminders.set",
        _id: "remind",
        title: "†state.event && †state.training.title",
        _outputPath: "†state.reminder",
      },
    ],
    output_schema: null,
    outside: {
      "weather.forecast": {
        idempotent: true,
        react: (_params, attempt) =>
          attempt === 1
            ? { ms: 900, error: { code: "503", message: t.busy }, retry_after_ms: 1_500 }
            : { ms: 380, output: { sky: t.rain, temperature: 4, rain_chance: 0.9 }, path: "†state.rain" },
      },
      "parks.route": {
        idempotent: true,
        react: ({ park, km }) => ({ ms: 520, output: { title: t.runOf(String(km)), place: park ?? "" } }),
      },
      "gym.book": {
        idempotent: false,
        react: ({ gym }) => ({ ms: 740, output: { title: t.treadmill, place: t.gymOf(String(gym)) } }),
      },
      "gym.hold": {
        idempotent: false,
        react: ({ gym }) => ({ ms: 430, output: { title: t.either, place: t.heldAt(String(gym)) } }),
      },
      "calendar.add": { idempotent: false, react: () => ({ ms: 460, output: { event_id: "ev-20714" } }) },
      "outfit.suggest": {
        idempotent: true,
        react: () => ({ ms: 610, output: { advice: t.advice } }),
      },
      "reminders.set": { idempotent: false, react: () => ({ ms: 190, output: { reminder_id: "r-318" } }) },
    },
    said: [],
  }),
);
