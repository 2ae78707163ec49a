import { z } from "zod";
import type { Notice } from "../notices.ts";
import { toIso } from "../times.ts";

/** A notification as it is read: the time in epoch ms, what a note says of mentions as JSON. */
export interface NoticeRow extends Omit<Notice, "since" | "mention"> {
  since: number;
  mention: string | null;
}

const mentioned = z.object({ names: z.array(z.string()), by: z.string().nullable(), seq: z.int().nullable() });

export function toNotice({ since, mention, ...row }: NoticeRow): Notice {
  return { ...row, since: toIso(since), ...(mention !== null && { mention: mentioned.parse(JSON.parse(mention)) }) };
}
