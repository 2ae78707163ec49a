import type { ImportedConversation } from "../../lib/intake/new-event.ts";
import type { Locale } from "../texts.ts";
import { coffeeShop } from "./coffee-shop.ts";
import { deal1842 } from "./deal-1842.ts";
import { discountAtlas } from "./discount-atlas.ts";
import { doubleCharge } from "./double-charge.ts";
import { invoiceBatch } from "./invoice-batch.ts";
import { lostCard } from "./lost-card.ts";
import { pipelineDigest } from "./pipeline-digest.ts";
import { refund88412 } from "./refund-88412.ts";
import { reschedule } from "./reschedule.ts";
import { whiteWhale } from "./white-whale.ts";
import { wrongSize } from "./wrong-size.ts";

const STORIES = [
  lostCard,
  wrongSize,
  deal1842,
  discountAtlas,
  pipelineDigest,
  whiteWhale,
  refund88412,
  doubleCharge,
  reschedule,
  coffeeShop,
  invoiceBatch,
];

/** Recorded sessions for an empty log, in one language. Their times are before `now`; two of them are still running. */
export function demoConversations(now: Date, locale: Locale): ImportedConversation[] {
  return STORIES.map((tell) => tell(now, locale));
}
