import type { MessageEntity } from "grammy/types";
import { fromMarkdown } from "mdast-util-from-markdown";
import { gfmFromMarkdown } from "mdast-util-gfm";
import { gfm } from "micromark-extension-gfm";
import { isMarkdown } from "../../../session/markdown.ts";
import type { FormattedText } from "./split.ts";
import { tableLines, wordsOf } from "./table.ts";

type Root = ReturnType<typeof fromMarkdown>;
export type Node = Root | Root["children"][number];

/** An entity without its offset. */
type Format = MessageEntity extends infer E ? (E extends MessageEntity ? Omit<E, "offset" | "length"> : never) : never;

/** Links that Telegram opens; other addresses are shown as text. */
const OPENED = /^(https?|tg):\/\//i;

/**
 * Converts an agent's Markdown to a text with Telegram entities and without markup, so that parsing cannot fail (D10).
 * `write` transforms the words; code and addresses stay as they are. Markup that no agent would mean, and that would
 * take long to parse, stays plain.
 */
export function fromAgentMarkdown(markdown: string, write: (words: string) => string): FormattedText {
  if (!isMarkdown(markdown)) return { text: write(markdown), entities: [] };
  const root = fromMarkdown(markdown, { extensions: [gfm()], mdastExtensions: [gfmFromMarkdown()] });
  const writer = new Writer(write);
  writer.blocks(root.children, "");
  return { text: writer.text, entities: writer.entities };
}

/** Walks the tree and writes the text. */
class Writer {
  text = "";
  readonly entities: MessageEntity[] = [];
  readonly #write: (words: string) => string;
  #isQuoting = false;

  constructor(write: (words: string) => string) {
    this.#write = write;
  }

  /** Writes blocks. `indent` is the prefix of lines in nested lists. */
  blocks(nodes: readonly Node[], indent: string, between = "\n\n"): void {
    nodes
      .filter(({ type }) => type !== "definition")
      .forEach((node, index) => {
        if (index > 0) this.text += node.type === "list" && indent !== "" ? "\n" : between;
        this.#block(node, indent);
      });
  }

  #block(node: Node, indent: string): void {
    switch (node.type) {
      case "heading":
        return this.#as({ type: "bold" }, () => this.#inline(node.children));
      case "blockquote":
        return this.#quote(() => this.blocks(node.children, indent, "\n"));
      case "code":
        return this.#as({ type: "pre", ...(node.lang && { language: node.lang }) }, () => this.#plain(node.value));
      case "table":
        return this.#as({ type: "pre" }, () => this.#plain(tableLines(node)));
      case "thematicBreak":
        return this.#plain("———");
      case "list":
        return this.#list(node, indent);
      case "footnoteDefinition":
        this.#plain(`[${node.label ?? node.identifier}] `);
        return this.blocks(node.children, indent, "\n");
      default:
        return this.#inline("children" in node ? node.children : [node]);
    }
  }

  #list({ children, ordered, start }: Extract<Node, { type: "list" }>, indent: string): void {
    children.forEach((item, index) => {
      if (index > 0) this.text += "\n";
      const bullet = ordered ? `${(start ?? 1) + index}.` : "•";
      const mark = item.checked === null || item.checked === undefined ? bullet : item.checked ? "☑" : "☐";
      this.#plain(`${indent}${mark} `);
      this.blocks(item.children, `${indent}  `, "\n");
    });
  }

  #inline(nodes: readonly Node[]): void {
    for (const node of nodes) {
      switch (node.type) {
        case "text":
          this.#plain(this.#write(node.value));
          break;
        case "strong":
          this.#as({ type: "bold" }, () => this.#inline(node.children));
          break;
        case "emphasis":
          this.#as({ type: "italic" }, () => this.#inline(node.children));
          break;
        case "delete":
          this.#as({ type: "strikethrough" }, () => this.#inline(node.children));
          break;
        case "inlineCode":
          this.#as({ type: "code" }, () => this.#plain(node.value));
          break;
        case "break":
          this.#plain("\n");
          break;
        case "link":
          if (isBare(node)) this.#plain(wordsOf(node));
          else this.#link(node.url, () => this.#inline(node.children));
          break;
        case "image":
          this.#link(node.url, () => this.#plain(node.alt ?? ""));
          break;
        case "imageReference":
          this.#plain(node.alt ?? "");
          break;
        case "footnoteReference":
          this.#plain(`[${node.label ?? node.identifier}]`);
          break;
        case "html":
          // Not meant as markup of a chat.
          this.#plain(/^<br\s*\/?>$/i.test(node.value) ? "\n" : node.value);
          break;
        default:
          if ("children" in node) this.#inline(node.children);
          else if ("value" in node) this.#plain(node.value);
      }
    }
  }

  #link(url: string, write: () => void): void {
    const start = this.text.length;
    const opens = OPENED.test(url);
    if (opens) this.#as({ type: "text_link", url }, write);
    else write();
    const shown = this.text.slice(start);
    if (shown.trim() === "") this.#plain(url);
    else if (!opens && url !== "") this.#plain(` (${url})`);
  }

  /** Nested quotations are merged: Telegram does not support them. */
  #quote(write: () => void): void {
    if (this.#isQuoting) return write();
    this.#isQuoting = true;
    this.#as({ type: "blockquote" }, write);
    this.#isQuoting = false;
  }

  #plain(text: string): void {
    this.text += text;
  }

  #as(format: Format, write: () => void): void {
    const offset = this.text.length;
    // Outer entities come first, as Telegram requires.
    const place = this.entities.length;
    write();
    const length = this.text.length - offset;
    if (length > 0) this.entities.splice(place, 0, { ...format, offset, length });
  }
}

/** An address that appears as text: Telegram links it by itself. */
function isBare(link: Extract<Node, { type: "link" }>): boolean {
  return link.url.endsWith(wordsOf(link)) && wordsOf(link) !== "";
}
