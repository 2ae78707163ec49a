import type { Tool } from "@/lib/plan/tool.ts";

/** More are not listed: who looks for one types. */
const SHOWN = 60;

/** The tools whose names or descriptions have all typed words; those whose name begins with the text come first. */
export function findTools(tools: readonly Tool[], typed: string): { tools: Tool[]; more: number } {
  const text = typed.trim().toLowerCase();
  const words = text.split(/\s+/u);
  const rank = ({ name }: Tool) =>
    name.toLowerCase().startsWith(text) ? 0 : name.toLowerCase().includes(text) ? 1 : 2;
  const found = tools
    .filter(({ name, description }) => words.every((word) => `${name} ${description}`.toLowerCase().includes(word)))
    .sort((one, other) => rank(one) - rank(other) || one.name.localeCompare(other.name));
  return { tools: found.slice(0, SHOWN), more: Math.max(0, found.length - SHOWN) };
}
