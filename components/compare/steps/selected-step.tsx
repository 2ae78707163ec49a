"use client";

import Link from "next/link";
import { useTranslations } from "next-intl";
import { Button } from "@/components/ui/button.tsx";
import type { StepPair } from "@/lib/session/compare/steps.ts";
import type { View } from "@/lib/session/session.ts";
import { SideBadge } from "../side-badge.tsx";
import { usePlace } from "../use-place.ts";

/** Where to go from the line that is selected: to either studio, or to the states by then. */
export function SelectedStep({ pair, a, b }: { pair: StepPair; a: View; b: View }) {
  const t = useTranslations("compare.steps");
  const [, change] = usePlace();
  return (
    <span className="flex flex-wrap items-center gap-3">
      {pair.a && <Opened side="a" id={a.conversation_id} seq={pair.a.seq} />}
      {pair.b && <Opened side="b" id={b.conversation_id} seq={pair.b.seq} />}
      {pair.a && pair.b && (
        <Button onClick={() => change({ tab: "state", steps: { a: pair.a?.seq ?? 0, b: pair.b?.seq ?? 0 } })}>
          {t("stateHere")}
        </Button>
      )}
    </span>
  );
}

function Opened({ side, id, seq }: { side: "a" | "b"; id: string | null; seq: number }) {
  const t = useTranslations("compare");
  return (
    <Link
      href={`/conversations/${encodeURIComponent(id ?? "")}?at=${seq}`}
      className="inline-flex items-center gap-1.5 rounded-1 font-medium text-accent underline underline-offset-3"
    >
      <SideBadge side={side} />
      {t("openAt", { step: seq })}
    </Link>
  );
}
