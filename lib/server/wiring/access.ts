import type { Logger } from "pino";
import type { Storage } from "../../../db/storage.ts";
import { type Access, createAccess } from "../../access/access.ts";
import type { OpenEgress } from "../../outgoing/egress.ts";
import type { Config } from "../config.ts";
import { isLoopback } from "../front/loopback.ts";
import { StartupError } from "../startup-error.ts";
import { wallClock } from "../wall-clock.ts";
import { secretKey } from "./secret-key.ts";

/** The command that adds the first administrator. */
const ADD_ADMIN = "npm run users -- add NAME --role admin";

type Stores = Pick<Storage, "users" | "signIns" | "keys" | "replicas">;

/**
 * Opens a server's access control. Throws `StartupError` if the server is reachable from other machines and nobody
 * could sign in.
 */
export async function openAccess(
  config: Config,
  { openEgress, logger, ...stores }: Stores & { openEgress: OpenEgress; logger: Logger },
): Promise<Access> {
  const { required, idle, oidc } = config.access;
  if (required && oidc === null && (await stores.users.count()) === 0) {
    if (!isLoopback(config.host)) {
      throw new StartupError(
        `Nobody could sign in: OBELUS_AUTH is on with HOST=${config.host}, but there are no users. Add the first one with ${ADD_ADMIN}, or set OBELUS_OIDC_ISSUER.`,
      );
    }
    logger.warn(`Nobody can sign in yet: add the first user with ${ADD_ADMIN}`);
  }
  return createAccess({
    ...{ required, idle, oidc, logger, ...stores },
    secretKey: await secretKey(config),
    // The provider's discovery document names its other addresses.
    fetch: openEgress({ hosts: oidc === null ? [] : [new URL(oidc.issuer).host], elsewhere: true }).fetch,
    now: wallClock.now,
  });
}
