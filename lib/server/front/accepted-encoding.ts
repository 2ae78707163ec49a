/** Whether `Accept-Encoding` allows a coding: `gzip, br;q=0.9`. */
export function accepts(header: string | string[] | undefined, coding: "br" | "gzip"): boolean {
  return String(header ?? "")
    .split(",")
    .some((offer) => {
      const [name = "", ...parameters] = offer.toLowerCase().split(";");
      return name.trim() === coding && !parameters.some((parameter) => /^\s*q=0(\.0*)?\s*$/.test(parameter));
    });
}
