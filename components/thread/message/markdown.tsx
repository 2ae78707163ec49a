"use client";

import { fromMarkdown } from "mdast-util-from-markdown";
import { gfmFromMarkdown } from "mdast-util-gfm";
import { gfm } from "micromark-extension-gfm";
import { Fragment, memo, type ReactNode, useDeferredValue, useMemo } from "react";
import { isMarkdown } from "@/lib/session/markdown.ts";

type Root = ReturnType<typeof fromMarkdown>;
type Node = Root | Root["children"][number];
type Of<Type extends Node["type"]> = Extract<Node, { type: Type }>;
type Row = Of<"table">["children"][number];
type Align = NonNullable<Of<"table">["align"]>;

interface MarkdownTextProps {
  text: string;
  /** Makes footnote ids unique on the page. */
  id: string;
  /** Rendered as plain text on the server, and as Markdown after hydration. */
  late?: boolean;
}

const SYNTAX = { extensions: [gfm()], mdastExtensions: [gfmFromMarkdown()] };
const SAFE_ADDRESS = /^(https?:\/\/|mailto:)/i;
const LINE_BREAK = /^<br\s*\/?>$/i;

/**
 * An agent's text: Markdown without raw HTML, remote images or links other than to web pages and mail. What would take
 * long to parse is shown as plain text.
 */
export const MarkdownText = memo(function MarkdownText({ text, id, late = false }: MarkdownTextProps) {
  const isSet = useDeferredValue(true, !late);
  const drawing = useMemo(() => (isSet && isMarkdown(text) ? draw(text, id) : null), [isSet, text, id]);
  return <div className="prose-thread">{drawing ?? <p className="whitespace-pre-wrap">{text}</p>}</div>;
});

function draw(text: string, id: string): ReactNode {
  const root = fromMarkdown(text, SYNTAX);
  const drawing = new Drawing(root, id);
  return (
    <>
      {drawing.all(root.children)}
      {drawing.footnotes()}
    </>
  );
}

/** Static content is keyed by index. */
function inOrder(drawn: readonly ReactNode[]): ReactNode {
  // biome-ignore lint/suspicious/noArrayIndexKey: see above
  return drawn.map((one, place) => <Fragment key={place}>{one}</Fragment>);
}

/** Renders the nodes of a text and collects its references. */
class Drawing {
  readonly #id: string;
  readonly #addresses = new Map<string, string>();
  readonly #notes = new Map<string, Of<"footnoteDefinition">>();
  /** Footnotes in order of reference. */
  readonly #referred: string[] = [];

  constructor(root: Root, id: string) {
    this.#id = id;
    this.#read(root);
  }

  all(nodes: readonly Node[]): ReactNode {
    return inOrder(nodes.map((node) => this.#one(node)));
  }

  /** Rendered after the text. */
  footnotes(): ReactNode {
    const items: ReactNode[] = [];
    // A footnote may refer to another, which is rendered after it.
    for (const name of this.#referred)
      items.push(<li id={this.#noteId(name)}>{this.all(this.#notes.get(name)?.children ?? [])}</li>);
    return items.length > 0 && <ol className="text-12 text-fg-2">{inOrder(items)}</ol>;
  }

  /** Definitions may follow their references; the first of a name counts. */
  #read(node: Node): void {
    if (node.type === "definition" && !this.#addresses.has(node.identifier))
      this.#addresses.set(node.identifier, node.url);
    if (node.type === "footnoteDefinition" && !this.#notes.has(node.identifier)) this.#notes.set(node.identifier, node);
    if ("children" in node) for (const child of node.children) this.#read(child);
  }

  #one(node: Node): ReactNode {
    switch (node.type) {
      case "paragraph":
        return <p>{this.all(node.children)}</p>;
      case "heading":
        // A message's headings are not part of the page's outline.
        return <p className="font-semibold">{this.all(node.children)}</p>;
      case "strong":
        return <strong>{this.all(node.children)}</strong>;
      case "emphasis":
        return <em>{this.all(node.children)}</em>;
      case "delete":
        return <del>{this.all(node.children)}</del>;
      case "break":
        return <br />;
      case "inlineCode":
        return <code>{node.value}</code>;
      case "code":
        return (
          <pre tabIndex={0}>
            <code>{node.value}</code>
          </pre>
        );
      case "blockquote":
        return <blockquote>{this.all(node.children)}</blockquote>;
      case "thematicBreak":
        return <hr />;
      case "list":
        return this.#list(node);
      case "table":
        return this.#table(node);
      case "link":
        return <Address url={node.url}>{this.all(node.children)}</Address>;
      case "linkReference":
        return <Address url={this.#addresses.get(node.identifier)}>{this.all(node.children)}</Address>;
      // Images of a message are not loaded.
      case "image":
        return <Address url={node.url}>{node.alt || node.url}</Address>;
      case "imageReference":
        return <Address url={this.#addresses.get(node.identifier)}>{node.alt || node.identifier}</Address>;
      case "footnoteReference":
        return this.#reference(node.identifier);
      case "html":
        return LINE_BREAK.test(node.value) ? <br /> : node.value;
      case "definition":
      case "footnoteDefinition":
        return null;
      default:
        return "children" in node ? this.all(node.children) : node.value;
    }
  }

  #list({ ordered, start, spread, children }: Of<"list">): ReactNode {
    const isLoose = spread || children.some((item) => item.spread);
    const items = inOrder(children.map((item) => this.#item(item, isLoose)));
    return ordered ? <ol start={start ?? undefined}>{items}</ol> : <ul>{items}</ul>;
  }

  #item({ checked, children }: Of<"list">["children"][number], isLoose: boolean): ReactNode {
    const inItem = (block: Node) =>
      block.type === "paragraph" && !isLoose ? this.all(block.children) : this.#one(block);
    return (
      <li>
        {typeof checked === "boolean" && (checked ? "☑ " : "☐ ")}
        {inOrder(children.map(inItem))}
      </li>
    );
  }

  #table({ align: sides, children: [head, ...rows] }: Of<"table">): ReactNode {
    const align = sides ?? [];
    return (
      <div className="overflow-x-auto" tabIndex={0}>
        <table>
          <thead>{head && this.#row(head, "th", align)}</thead>
          <tbody>{inOrder(rows.map((row) => this.#row(row, "td", align)))}</tbody>
        </table>
      </div>
    );
  }

  /** A row may have fewer cells than the table has columns. */
  #row({ children }: Row, Cell: "th" | "td", align: Align): ReactNode {
    const cell = (nodes: readonly Node[], side: Align[number]) => (
      <Cell style={{ textAlign: side ?? undefined }}>{this.all(nodes)}</Cell>
    );
    return <tr>{inOrder(align.map((side, column) => cell(children[column]?.children ?? [], side)))}</tr>;
  }

  #reference(name: string): ReactNode {
    if (!this.#referred.includes(name)) this.#referred.push(name);
    return (
      <sup>
        <a href={`#${encodeURIComponent(this.#noteId(name))}`}>{this.#referred.indexOf(name) + 1}</a>
      </sup>
    );
  }

  #noteId(name: string): string {
    return `${this.#id}-note-${name}`;
  }
}

/** Links open in a new tab, without a referrer. */
function Address({ url = "", children }: { url?: string | undefined; children: ReactNode }) {
  if (!SAFE_ADDRESS.test(url)) return <span>{children}</span>;
  return (
    <a
      href={url}
      target="_blank"
      rel="noopener noreferrer nofollow"
      className="text-fg underline decoration-line-control underline-offset-3"
    >
      {children}
    </a>
  );
}
