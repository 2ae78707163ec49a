"use client";

import { useTranslations } from "next-intl";
import { useId, useState } from "react";
import { FIELD } from "@/components/decision/form.tsx";
import { Button } from "@/components/ui/button.tsx";
import { PASSWORD_LENGTH } from "@/lib/access/rules.ts";

/** Letters and digits that cannot be confused with one another. */
const LETTERS = "abcdefghijkmnpqrstuvwxyzACDEFGHJKLMNPQRTUVWXY34679";

/** A password field that shows its value, so that it can be passed on. */
export function FirstPassword({ fault }: { fault: boolean }) {
  const t = useTranslations("admin.users.password");
  const id = useId();
  const [text, setText] = useState("");
  return (
    <div>
      <label htmlFor={id} className="mb-1 block text-11 text-fg-3">
        {t("field")}
      </label>
      <div className="flex gap-1.5">
        <input
          id={id}
          name="password"
          value={text}
          autoComplete="off"
          spellCheck={false}
          maxLength={PASSWORD_LENGTH.max}
          aria-invalid={fault || undefined}
          aria-describedby={`${id}-hint`}
          onChange={({ target }) => setText(target.value)}
          className={`${FIELD} min-w-0 flex-1 font-mono`}
        />
        <Button onClick={() => setText(suggestPassword())}>{t("suggest")}</Button>
      </div>
      <p
        id={`${id}-hint`}
        role={fault ? "alert" : undefined}
        className={`mt-1 text-11 text-pretty ${fault ? "text-st-failed" : "text-fg-3"}`}
      >
        {t("hint", { count: PASSWORD_LENGTH.min })}
      </p>
    </div>
  );
}

/** Four groups of four random characters: 89 bits. */
function suggestPassword(): string {
  const letters = Array.from({ length: 16 }, () => LETTERS[randomBelow(LETTERS.length)]).join("");
  return letters.match(/.{4}/g)?.join("-") ?? letters;
}

/** A uniform random integer below `limit`: values that would bias it are drawn again. */
function randomBelow(limit: number): number {
  const bytes = new Uint8Array(1);
  do crypto.getRandomValues(bytes);
  while ((bytes[0] ?? 0) >= 256 - (256 % limit));
  return (bytes[0] ?? 0) % limit;
}
