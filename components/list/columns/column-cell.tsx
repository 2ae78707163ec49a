import { useFormatter } from "next-intl";
import { useCostWords } from "@/components/format/use-cost-words.ts";
import { useDuration } from "@/components/format/use-duration.ts";
import { useStageNames } from "@/components/stages/use-stage-names.ts";
import { usePrices } from "@/components/studio/header/use-prices.ts";
import type { Conversation } from "@/lib/api/shapes.ts";
import { AgoTime } from "../now.tsx";
import { ActivityStrip } from "../row/activity-strip.tsx";
import { DueCell, OwnerCell, TagsCell } from "../row/queue-cells.tsx";
import { ScoreCell } from "../row/score-cell.tsx";
import type { Column } from "./columns.ts";

const QUIET = <span className="text-fg-3">–</span>;

/** What a column says of a conversation. */
export function ColumnCell({ column, conversation }: { column: Column; conversation: Conversation }) {
  switch (column) {
    case "user":
      return conversation.user_id ?? QUIET;
    case "agent":
      return conversation.agent_id ?? QUIET;
    case "stage":
      return <Stage stage={conversation.stage} />;
    case "owner":
      return <OwnerCell conversation={conversation} />;
    case "tags":
      return <TagsCell conversation={conversation} />;
    case "due":
      return <DueCell conversation={conversation} />;
    case "score":
      return <ScoreCell scores={conversation.scores} />;
    case "activity":
      return <ActivityStrip activity={conversation.activity} status={conversation.status} />;
    case "started":
      return <AgoTime at={conversation.created_at} />;
    case "duration":
      return <Duration from={conversation.created_at} to={conversation.updated_at} />;
    case "messages":
      return <Count of={conversation.message_count} />;
    case "calls":
      return <Count of={conversation.call_count} />;
    case "failures":
      return <Count of={conversation.error_count} />;
    case "tokens":
      return <Count of={conversation.tokens ?? 0} />;
    case "cost":
      return <Price cost={conversation.cost ?? 0} />;
    default:
      return column satisfies never;
  }
}

function Stage({ stage }: { stage: string | null }) {
  const names = useStageNames();
  return stage === null ? QUIET : names.stage(stage);
}

function Duration({ from, to }: { from: string; to: string }) {
  return useDuration()(Date.parse(to) - Date.parse(from));
}

function Count({ of }: { of: number }) {
  const format = useFormatter();
  return of > 0 ? format.number(of) : QUIET;
}

function Price({ cost }: { cost: number }) {
  const format = useFormatter();
  const words = useCostWords();
  const [currency, another] = new Set(Object.values(usePrices()).map((price) => price.currency));
  if (cost === 0) return QUIET;
  // Amounts in several currencies are one number.
  if (currency === undefined || another !== undefined) return format.number(cost, { maximumSignificantDigits: 3 });
  return words([{ currency, amount: cost }]);
}
