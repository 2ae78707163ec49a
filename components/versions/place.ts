import { withParams } from "@/components/client/address.ts";
import { PERIODS, type Period } from "@/components/overview/place.ts";

/** Which versions are compared, as in the address; empty for the usual ones. */
export interface VersionsPlace {
  agent: string;
  before: string;
  after: string;
  period: Period;
}

/** Versions live longer than the week of the overview. */
const USUAL_PERIOD: Period = "90d";

export function parseVersions(params: URLSearchParams): VersionsPlace {
  return {
    agent: params.get("agent") ?? "",
    before: params.get("before") ?? "",
    after: params.get("after") ?? "",
    period: PERIODS.find((period) => period === params.get("period")) ?? USUAL_PERIOD,
  };
}

/** The address of the page that compares versions. */
export function versionsAddress({ period, ...place }: Partial<VersionsPlace>): string {
  const shown = { ...place, ...(period !== undefined && period !== USUAL_PERIOD && { period }) };
  return `/overview/versions${withParams(new URLSearchParams(), shown)}`;
}
