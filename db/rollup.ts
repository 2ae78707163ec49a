import type { HAPPENINGS } from "../lib/rollup/happenings.ts";
import type { Overview, OverviewQuery } from "../lib/rollup/overview.ts";
import type { CountedTools, ToolReport } from "../lib/rollup/tool-report.ts";
import type { ComparedVersions, Differing, VersionShare, VersionsQuery } from "../lib/rollup/versions.ts";
import type { ScoreFilter } from "../lib/scores/score.ts";
import type { Prices } from "../lib/session/prices.ts";

/** Conversations in which something happened: what a number of the overview counts. Times in epoch ms, as whole hours. */
export interface Happened {
  what: (typeof HAPPENINGS)[number];
  since?: number | undefined;
  until?: number | undefined;
  agent?: string | undefined;
  version?: string | undefined;
  model?: string | undefined;
  channel?: string | undefined;
  stage?: string | undefined;
  tool?: string | undefined;
  /** A turn or a call took longer, ms. */
  longer_than?: number | undefined;
  /** What a score says; compared with numbers, those of its name. */
  score?: ScoreFilter | undefined;
}

/** An overview, with how many conversations each finding is about. */
export interface CountedOverview extends Overview {
  hit: number[];
  /** Events of the log that are not counted yet, up to 10,000. */
  behind: number;
}

/** Several conversations that failed in the same way. */
export interface ErrorGroup {
  /** Names the kind of failure. */
  fingerprint: string;
  code: string | null;
  /** The message of the newest. */
  message: string;
  calls: number;
  conversations: number;
  /** Epoch ms, of the calls that were compared. */
  first: number;
  last: number;
  /** Calls by part of the period, all of the same length. */
  over_time: number[];
  versions: string[];
  /** The newest, one a conversation. */
  examples: { conversation_id: string; name: string | null; seq: number; at: number }[];
}

export interface CountedToolReport extends ToolReport {
  errors: ErrorGroup[];
  /** Only the newest failures were compared. */
  errors_cut: boolean;
  slowest: { conversation_id: string; name: string | null; seq: number; took: number }[];
  behind: number;
}

/** A conversation as it is told. */
interface Named {
  id: string;
  name: string | null;
}

/** Two versions of an agent. */
export interface CountedVersions {
  /** Epoch ms. */
  from: number;
  to: number;
  /** All of the period, the newest first. */
  versions: VersionShare[];
  /** Null: there are no two of them. */
  compared:
    | (Omit<ComparedVersions, "differing"> & {
        versions: { before: string; after: string };
        differing: (Omit<Differing, "conversation" | "beside"> & { conversation: Named; beside: Named | null })[];
        /** Only the newest conversations of a version were compared. */
        cut: boolean;
      })
    | null;
  behind: number;
}

/** What all conversations add up to; forks and simulated runs are not counted. */
export interface RollupStore extends RollupReads {
  /** The prices by which the list sorts and filters: if they have changed, the cost of every conversation is computed again. */
  usePrices(prices: Prices): Promise<void>;
}

export interface RollupReads {
  overview(query: OverviewQuery, prices: Prices): Promise<CountedOverview>;
  /** All tools, the most used first. */
  tools(query: OverviewQuery): Promise<CountedTools & { behind: number }>;
  /** One tool; null if nothing ever called it. */
  tool(name: string, query: OverviewQuery): Promise<CountedToolReport | null>;
  /** Two versions of an agent, by their conversations. */
  versions(query: VersionsQuery, prices: Prices): Promise<CountedVersions>;
}
