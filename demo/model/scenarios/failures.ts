import type { Failure } from "../script.ts";

/** Replies to failed calls, with the reason as reported. */
export const FAILURES: readonly Failure[] = [
  {
    end: "denied",
    say: {
      en: ["I was not allowed to {wish}.[? Reason: {reason|bare}.] I will not try it again unless you ask me to."],
      ru: ["Мне не разрешили {wish}.[? Причина: {reason|bare}.] Пробовать снова не буду, пока вы сами не попросите."],
    },
  },
  {
    end: "skipped",
    reason: /^planned/i,
    say: {
      en: ["This is only planned, and nothing was changed: {wish}."],
      ru: ["Это только запланировано, ничего не изменено: {wish}."],
    },
  },
  {
    end: "skipped",
    reason: /already waiting/i,
    say: {
      en: ["I did not ask again to {wish}: the same request already waits for a person to decide."],
      ru: ["Повторно не предлагаю {wish}: такая же заявка уже ждёт решения человека."],
    },
  },
  {
    end: "skipped",
    say: {
      en: ["This was not carried out: {wish}.[? {reason|bare}.]"],
      ru: ["Это не выполнено: {wish}.[? {reason|bare}.]"],
    },
  },
  ...(["failed", "blocked", "cancelled", "superseded"] as const).map(
    (end): Failure => ({
      end,
      say: {
        en: ["I could not {wish}.[? The answer was: {reason|bare}.]"],
        ru: ["Не получилось {wish}.[? Ответ был такой: {reason|bare}.]"],
      },
    }),
  ),
];
