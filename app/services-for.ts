import { headers } from "next/headers";
import { may, type Permission } from "@/lib/access/caller.ts";
import { requesterOf } from "@/lib/api/request/requester.ts";
import { type Services, services } from "@/lib/server/services.ts";

/**
 * The services for a page, if the caller has this permission: a second check after the server's front. Throws
 * otherwise.
 */
export async function servicesFor(permission: Permission): Promise<Services> {
  const { caller } = requesterOf(await headers());
  if (!may(caller, permission)) throw new Error(`A page that asks for ${permission} was reached without it`);
  return services();
}
