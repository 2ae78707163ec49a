/** The codings of an answer. `identity` is the answer as it is. */
export type Coding = "br" | "gzip" | "identity";

/**
 * The coding that `Accept-Encoding` prefers (RFC 9110, 12.5.3); of those it likes equally, the first of `codings`, and `identity`
 * last. `identity` also where it accepts none: an answer is better than 406.
 */
export function preferredCoding(
  header: string | string[] | undefined,
  codings: readonly Exclude<Coding, "identity">[] = ["br", "gzip"],
): Coding {
  const qualities = readQualities(String(header ?? ""));
  const others = qualities.get("*");
  let best: { coding: Coding; quality: number } = { coding: "identity", quality: 0 };
  for (const coding of codings) {
    const quality = qualities.get(coding) ?? others ?? 0;
    if (quality > best.quality) best = { coding, quality };
  }
  // Not mentioned, it is accepted, but what is mentioned is asked for.
  const identity = qualities.get("identity") ?? 0;
  return identity > best.quality ? "identity" : best.coding;
}

/** Whether `Accept-Encoding` does not accept an answer as it is. */
export function refusesIdentity(header: string | string[] | undefined): boolean {
  const qualities = readQualities(String(header ?? ""));
  return (qualities.get("identity") ?? qualities.get("*")) === 0;
}

/** By coding, from `gzip;q=0.5, br, *;q=0`. What cannot be read counts as 0. */
function readQualities(header: string): Map<string, number> {
  const qualities = new Map<string, number>();
  for (const offer of header.toLowerCase().split(",")) {
    const [name = "", ...parameters] = offer.split(";").map((part) => part.trim());
    const weight = parameters.map((one) => /^q\s*=\s*(.*)$/.exec(one)?.[1]).find((one) => one !== undefined);
    const quality = weight === undefined ? 1 : Number(weight);
    if (name !== "") qualities.set(name, quality >= 0 && quality <= 1 ? quality : 0);
  }
  return qualities;
}
