"use client";

import { memo } from "react";
import Markdown, { type Components } from "react-markdown";
import remarkGfm from "remark-gfm";

interface MarkdownTextProps {
  text: string;
  /** Makes the ids of footnotes unique on the page. */
  id: string;
}

const SAFE_ADDRESS = /^(https?:\/\/|mailto:)/i;

// A message's headings are no part of the page's outline, and what it links to is not asked for by the page itself.
const COMPONENTS: Components = {
  a: ({ href, children }) =>
    href ? (
      <a
        href={href}
        target="_blank"
        rel="noopener noreferrer nofollow"
        className="text-fg underline decoration-line-control underline-offset-3"
      >
        {children}
      </a>
    ) : (
      <span>{children}</span>
    ),
  img: ({ src, alt }) => (
    <a
      href={typeof src === "string" ? src : undefined}
      target="_blank"
      rel="noopener noreferrer nofollow"
      className="underline underline-offset-3"
    >
      {alt || (typeof src === "string" ? src : "")}
    </a>
  ),
  h1: ({ children }) => <p className="font-semibold">{children}</p>,
  h2: ({ children }) => <p className="font-semibold">{children}</p>,
  h3: ({ children }) => <p className="font-semibold">{children}</p>,
  h4: ({ children }) => <p className="font-semibold">{children}</p>,
  h5: ({ children }) => <p className="font-semibold">{children}</p>,
  h6: ({ children }) => <p className="font-semibold">{children}</p>,
  input: ({ checked }) => <span>{checked ? "☑ " : "☐ "}</span>,
  table: ({ children }) => (
    <div className="overflow-x-auto" tabIndex={0}>
      <table>{children}</table>
    </div>
  ),
  pre: ({ children }) => <pre tabIndex={0}>{children}</pre>,
};

/** Text as an agent writes it: Markdown without raw HTML, remote images or links to anything but pages and mail. */
export const MarkdownText = memo(function MarkdownText({ text, id }: MarkdownTextProps) {
  return (
    <div className="prose-thread">
      <Markdown
        remarkPlugins={[remarkGfm]}
        remarkRehypeOptions={{ clobberPrefix: `${id}-` }}
        urlTransform={(address) => (SAFE_ADDRESS.test(address) ? address : "")}
        components={COMPONENTS}
      >
        {text}
      </Markdown>
    </div>
  );
});
