import { useQuery } from "@tanstack/react-query";
import { callApi } from "@/components/client/api.ts";
import { forkPreviewKey } from "./queries.ts";

/** As `GET /api/conversations/:id/fork` answers. */
export interface ForkPreview {
  /** Calls that a run of the fork would start with. */
  left: number;
  /** Tools of them that this server does not have. */
  unknown_tools: { name: string; recorded: number }[];
}

/** What a fork from a step would have to run; undefined until that is known, or where it is not asked for. */
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
