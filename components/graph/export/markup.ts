import { isValidElement, type ReactNode } from "react";

/** An icon's shapes as SVG; `ink` replaces currentColor. */
export function markupOf(shape: ReactNode, ink: string): string {
  if (Array.isArray(shape)) return shape.map((part: ReactNode) => markupOf(part, ink)).join("");
  if (!isValidElement<Record<string, unknown> & { children?: ReactNode }>(shape)) return "";
  const { children, ...attributes } = shape.props;
  if (typeof shape.type !== "string") return markupOf(children, ink);
  const written = Object.entries(attributes).map(
    ([name, value]) => ` ${kebab(name)}="${escapeXml(value === "currentColor" ? ink : String(value))}"`,
  );
  return `<${shape.type}${written.join("")}/>`;
}

/** Escapes a text for XML; characters that XML does not allow are left out. */
export function escapeXml(text: string): string {
  return text
    .replace(/[^\t\n\r\u0020-\uD7FF\uE000-\uFFFD\u{10000}-\u{10FFFF}]/gu, "")
    .replace(/[&<>"']/g, (mark) => `&#${mark.codePointAt(0)};`);
}

function kebab(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
}
