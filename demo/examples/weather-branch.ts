import { type Example, NUMBER, object, TEXT, tool } from "./example.ts";

const FORECAST = object({ sky: TEXT, temperature: NUMBER, rain_chance: NUMBER });
const TRAINING = object({ title: TEXT, place: TEXT });

/** A branch by the weather: fine, rain or no forecast at all. All three ways rejoin on one path. */
export const weatherBranch: Example = {
  id: "demo-example-weather-branch",
  title: "Пробежка или зал: по погоде",
  channel: "telegram",
  user: "Кирилл Лапин",
  agent: "Помощник по расписанию",
  question:
    "Завтра в семь хочу побегать в Нескучном саду. Если обещают дождь, запиши меня в зал. И поставь в календарь, что получится",
  answer:
    "Завтра в семь обещают дождь и +4 °C, поэтому записал вас в зал на Шаболовке. Тренировка стоит в календаре, за час напомню. Возьмите лёгкую форму и куртку на дорогу.",
  context: [{ type: "input", place: "Нескучный сад", hour: 7, gym: "Шаболовка", km: 6 }],
  tools: [
    tool("weather.forecast", "Прогноз погоды на час", { place: TEXT, hour: NUMBER, _output: FORECAST }),
    tool("parks.route", "Маршрут пробежки по парку", { park: TEXT, km: NUMBER, sky: TEXT, _output: TRAINING }),
    tool("gym.book", "Запись в зал", { gym: TEXT, hour: NUMBER, reason: TEXT, _output: TRAINING }),
    tool("gym.hold", "Место в зале без записи, до вечера", { gym: TEXT, reason: TEXT, _output: TRAINING }),
    tool("calendar.add", "Событие в календаре", {
      title: TEXT,
      place: TEXT,
      hour: NUMBER,
      _output: object({ event_id: TEXT }),
      _outputPath: { const: "†state.event" },
    }),
    tool("outfit.suggest", "Что надеть", { temperature: NUMBER, place: TEXT, _output: object({ advice: TEXT }) }),
    tool("reminders.set", "Напоминание за час", { title: TEXT, _output: object({ reminder_id: TEXT }) }),
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
      _reasoningForCall: "Без прогноза место лучше придержать: вечером решим.",
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
          ? { ms: 900, error: { code: "503", message: "Метеослужба перегружена" }, retry_after_ms: 1_500 }
          : { ms: 380, output: { sky: "дождь", temperature: 4, rain_chance: 0.9 }, path: "†state.rain" },
    },
    "parks.route": {
      idempotent: true,
      react: ({ park, km }) => ({ ms: 520, output: { title: `Пробежка, ${km} км`, place: park ?? "" } }),
    },
    "gym.book": {
      idempotent: false,
      react: ({ gym }) => ({ ms: 740, output: { title: "Зал: беговая дорожка", place: `Зал «${gym}»` } }),
    },
    "gym.hold": {
      idempotent: false,
      react: ({ gym }) => ({ ms: 430, output: { title: "Зал или пробежка", place: `Зал «${gym}», место до вечера` } }),
    },
    "calendar.add": { idempotent: false, react: () => ({ ms: 460, output: { event_id: "ev-20714" } }) },
    "outfit.suggest": {
      idempotent: true,
      react: () => ({ ms: 610, output: { advice: "Лёгкая форма, куртка на дорогу" } }),
    },
    "reminders.set": { idempotent: false, react: () => ({ ms: 190, output: { reminder_id: "r-318" } }) },
  },
  said: [],
};
