import { useQuery } from "@tanstack/react-query";
import { callApi } from "@/components/client/api.ts";
import { forkPreviewKey } from "./queries.ts";

/** The response of `GET /api/conversations/:id/fork`. */
export interface ForkPreview {
  /** Calls that a run of the fork would include. */
  left: number;
  /** Their tools that this server does not have. */
  unknown_tools: { name: string; recorded: number }[];
}

/** What a fork at a step would run; undefined while unknown or disabled. */
export function useForkPreview(conversationId: string, at: number, isAsked = true): ForkPreview | undefined {
  const { data } = useQuery<ForkPreview>({
    queryKey: forkPreviewKey(conversationId, at),
    enabled: isAsked,
    placeholderData: (before) => before,
    queryFn: ({ signal }) =>
      callApi<ForkPreview>(`/api/conversations/${encodeURIComponent(conversationId)}/fork`, { query: { at }, signal }),
  });
  return data;
}
