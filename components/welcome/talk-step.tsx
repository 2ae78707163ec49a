"use client";

import { useTranslations } from "next-intl";
import { type RefObject, useState } from "react";
import { RequirePermission } from "@/components/access/require-permission.tsx";
import { ApiErrorAlert } from "@/components/client/api-error-alert.tsx";
import { useInputBeforeHydration } from "@/components/compose/use-input-before-hydration.ts";
import { Icon } from "@/components/ui/icon.tsx";
import { Kbd } from "@/components/ui/kbd.tsx";
import { Link } from "@/components/ui/link.tsx";
import { About, type Standing, Step } from "./step.tsx";

interface TalkStepProps {
  /** The prompts to press, at most three; none where the agent does not work on the demo's records. */
  prompts: readonly string[];
  /** The text that was sent last; null for none. */
  said: string | null;
  /** Whether an agent of this server answers. */
  isAnswered: boolean;
  isBusy: boolean;
  /** Why no conversation was begun; null if one was. */
  error: Error | null;
  standing: Standing;
  isDone: boolean;
  /** A conversation of an earlier visit; null for none, and while one is open beside. */
  earlier: string | null;
  field: RefObject<HTMLInputElement | null>;
  onSay: (text: string) => void;
}

/** The first thing to try: a conversation with the demo agent. */
export function TalkStep({ prompts, isAnswered, standing, isDone, earlier, ...rest }: TalkStepProps) {
  const t = useTranslations("welcome.talk");
  return (
    <Step number={1} title={t("title")} isDone={isDone} standing={standing}>
      {isAnswered ? (
        <>
          <About>{t(prompts.length > 0 ? "text" : "ownText")}</About>
          <RequirePermission permission="ingest" otherwise="words" className="mt-2">
            <Prompts prompts={prompts} {...rest} />
          </RequirePermission>
        </>
      ) : (
        <About>
          {t.rich("noAgent", {
            link: (words) => (
              <Link href="/agents" className="text-accent underline underline-offset-2">
                {words}
              </Link>
            ),
          })}
        </About>
      )}
      {earlier !== null && (
        <p className="mt-2">
          <Link
            href={`/conversations/${encodeURIComponent(earlier)}`}
            className="text-13 phone:leading-11 text-accent underline underline-offset-2"
          >
            {t("again")}
          </Link>
        </p>
      )}
    </Step>
  );
}

const ROW =
  "flex h-8.5 w-full phone:h-auto phone:min-h-11 items-center gap-2.5 rounded-2 border px-2.5 text-left text-13 phone:py-2";

type PromptsProps = Pick<TalkStepProps, "prompts" | "said" | "isBusy" | "error" | "field" | "onSay">;

function Prompts({ prompts, said, isBusy, error, field, onSay }: PromptsProps) {
  const t = useTranslations("welcome.talk");
  const compose = useTranslations("compose");
  const [text, write] = useState("");
  useInputBeforeHydration(field, text, write);
  return (
    <div className="mt-2 grid gap-1.75">
      {prompts.map((prompt, index) => (
        <button
          key={prompt}
          type="button"
          aria-keyshortcuts={String(index + 1)}
          aria-pressed={prompt === said}
          disabled={isBusy}
          onClick={() => onSay(prompt)}
          className={`${ROW} ${prompt === said ? "border-accent-line bg-accent-soft" : "border-line-strong bg-surface enabled:hover:bg-hover"}`}
        >
          <Icon name="right" size={14} className={prompt === said ? "text-accent" : "text-fg-3"} />
          <span className="min-w-0 flex-1">{prompt}</span>
          <Kbd className="phone:hidden">{index + 1}</Kbd>
        </button>
      ))}
      <form
        className={`${ROW} border-line-control bg-surface focus-within:border-accent focus-within:ring-1 focus-within:ring-accent`}
        onSubmit={(event) => {
          event.preventDefault();
          if (isBusy || text.trim() === "") return;
          onSay(text);
          write("");
        }}
      >
        <input
          ref={field}
          value={text}
          maxLength={2_000}
          autoComplete="off"
          enterKeyHint="send"
          aria-label={t("own")}
          aria-keyshortcuts="/"
          placeholder={t("own")}
          onChange={(event) => write(event.target.value)}
          onKeyDown={(event) => event.key === "Escape" && field.current?.blur()}
          className="min-w-0 flex-1 bg-transparent text-fg outline-none placeholder:text-fg-3 focus-visible:shadow-none"
        />
        <Kbd className="phone:hidden">{text === "" ? "/" : "↵"}</Kbd>
      </form>
      <ApiErrorAlert error={error} otherwise={compose("notBegun")} className="text-13" />
    </div>
  );
}
