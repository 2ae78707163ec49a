"use client";

import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { callApi, sendApi } from "@/components/client/api.ts";
import { refetchAfterChange } from "@/components/client/refetch-after-change.ts";
import type { Role } from "@/lib/access/caller.ts";
import type { User } from "@/lib/api/shapes.ts";
import { USERS_KEY } from "./users-key.ts";

/** The users, by name. */
export function useUsers() {
  return useQuery({
    queryKey: USERS_KEY,
    queryFn: async ({ signal }) => (await callApi<{ items: User[] }>("/api/users", { signal })).items,
  });
}

/** The mutations of users. */
export type UserChange =
  | { kind: "add"; name: string; role: Role; password: string }
  | { kind: "role"; id: string; role: Role }
  | { kind: "password"; id: string; password: string }
  | { kind: "remove"; id: string };

/** Sends a mutation and refetches the users. */
export function useChangeUsers() {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (change: UserChange) => send(change),
    onSuccess: () => refetchAfterChange(queries, USERS_KEY),
  });
}

function send(change: UserChange): Promise<Response> {
  if (change.kind === "add") {
    const { name, role, password } = change;
    return sendApi("/api/users", { method: "POST", body: { name, role, password } });
  }
  const address = `/api/users/${encodeURIComponent(change.id)}`;
  switch (change.kind) {
    case "role":
      return sendApi(address, { method: "PUT", body: { role: change.role } });
    case "password":
      return sendApi(address, { method: "PUT", body: { password: change.password } });
    case "remove":
      return sendApi(address, { method: "DELETE" });
    default:
      return change satisfies never;
  }
}
