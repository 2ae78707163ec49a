import { isValidElement, type ReactNode } from "react";

/** The shapes of an icon as SVG text; `ink` stands for the colour of the text around it. */
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

/** A text as XML holds it: letters that XML does not know are left out. */
export function escapeXml(text: string): string {
  return text
    .replace(/[^\t\n\r\u0020-\uD7FF\uE000-\uFFFD\u{10000}-\u{10FFFF}]/gu, "")
    .replace(/[&<>"']/g, (mark) => `&#${mark.codePointAt(0)};`);
}

function kebab(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
}
