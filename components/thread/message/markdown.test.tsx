import { renderToStaticMarkup } from "react-dom/server";
import { describe, expect, it, vi } from "vitest";
import { MarkdownText } from "./markdown.tsx";

/** The rendered HTML without classes. */
function drawn(text: string): string {
  const html = renderToStaticMarkup(<MarkdownText text={text} id="m1" />);
  return html.replace(/^<div class="prose-thread">|<\/div>$/g, "").replace(/ (class|style|tabindex)="[^"]*"/g, "");
}

const OUTSIDE = 'target="_blank" rel="noopener noreferrer nofollow"';

describe("C3: agents' Markdown", () => {
  it("renders emphasis, code, quotes, lines and breaks", () => {
    expect(drawn("A **bold** and *thin* ~~old~~ `word`\\\nnext")).toBe(
      "<p>A <strong>bold</strong> and <em>thin</em> <del>old</del> <code>word</code><br/>next</p>",
    );
    expect(drawn("> said\n\n---\n\n```js\n1 < 2\n```")).toBe(
      "<blockquote><p>said</p></blockquote><hr/><pre><code>1 &lt; 2</code></pre>",
    );
  });

  it("causes no React warnings", () => {
    const complaints = vi.spyOn(console, "error").mockImplementation(() => undefined);
    drawn("# A\n\n- *b* c\n- d\n\n| e | f |\n| - | - |\n| 1 | 2 |\n\nx[^n]\n\n[^n]: note");
    expect(complaints.mock.calls).toEqual([]);
    complaints.mockRestore();
  });

  it("renders headings that are not part of the page's outline", () => {
    expect(drawn("# Plan\n\nGo")).toBe("<p>Plan</p><p>Go</p>");
  });

  it("renders lists: loose ones, with a start number, with checkboxes", () => {
    expect(drawn("- a\n  - b\n- c")).toBe("<ul><li>a<ul><li>b</li></ul></li><li>c</li></ul>");
    expect(drawn("3. a\n\n4. b")).toBe('<ol start="3"><li><p>a</p></li><li><p>b</p></li></ol>');
    expect(drawn("- [x] done\n- [ ] open")).toBe("<ul><li>☑ done</li><li>☐ open</li></ul>");
  });

  it("renders tables, and line breaks in their cells", () => {
    expect(drawn("| a | b |\n| - | -: |\n| 1 | 2<br>3 |")).toBe(
      "<div><table><thead><tr><th>a</th><th>b</th></tr></thead><tbody><tr><td>1</td><td>2<br/>3</td></tr></tbody></table></div>",
    );
    expect(drawn("| a | b |\n| - | - |\n| 1 |")).toContain("<tr><td>1</td><td></td></tr>");
    expect(renderToStaticMarkup(<MarkdownText text={"| a |\n| -: |\n| 1 |"} id="m1" />)).toContain(
      '<td style="text-align:right">1</td>',
    );
  });

  it("links only to web pages and mail, and loads no images", () => {
    expect(drawn("[site](https://example.org/?a=1&b=2) [it]\n\n[it]: mailto:a@example.org\n[IT]: https://late")).toBe(
      `<p><a href="https://example.org/?a=1&amp;b=2" ${OUTSIDE}>site</a> <a href="mailto:a@example.org" ${OUTSIDE}>it</a></p>`,
    );
    expect(drawn("[bad](javascript:alert(1)) [own](/api) [data](data:text/html,x)")).toBe(
      "<p><span>bad</span> <span>own</span> <span>data</span></p>",
    );
    expect(drawn("![pic](https://example.org/a.png) ![](javascript:x)")).toBe(
      `<p><a href="https://example.org/a.png" ${OUTSIDE}>pic</a> <span>javascript:x</span></p>`,
    );
    expect(drawn("see https://example.org.")).toBe(
      `<p>see <a href="https://example.org" ${OUTSIDE}>https://example.org</a>.</p>`,
    );
  });

  it("shows HTML as text", () => {
    expect(drawn("<b onclick=x>hi</b>")).toBe("<p>&lt;b onclick=x&gt;hi&lt;/b&gt;</p>");
    expect(drawn("<script>alert(1)</script>")).toBe("&lt;script&gt;alert(1)&lt;/script&gt;");
  });

  it("renders footnotes below the text, in order of reference", () => {
    expect(drawn("x[^b] y[^a] z[^b]\n\n[^a]: First\n[^b]: Second[^c]\n[^c]: Third\n[^d]: Never")).toBe(
      [
        '<p>x<sup><a href="#m1-note-b">1</a></sup> y<sup><a href="#m1-note-a">2</a></sup> z<sup><a href="#m1-note-b">1</a></sup></p>',
        '<ol><li id="m1-note-b"><p>Second<sup><a href="#m1-note-c">3</a></sup></p></li>',
        '<li id="m1-note-a"><p>First</p></li><li id="m1-note-c"><p>Third</p></li></ol>',
      ].join(""),
    );
  });

  it.each([
    ["marks that nothing closes", "*a **b ".repeat(5_000)],
    ["brackets", "[a](".repeat(7_500)],
    ["closing brackets", "]".repeat(16_000)],
    ["quotations within each other", ">".repeat(40_000)],
    ["lists within each other", "1. ".repeat(5_000)],
    ["a long text", "word ".repeat(10_000)],
  ])("a text that would take long to parse is shown as plain text: %s", (_, text) => {
    expect(drawn(text)).toBe(`<p>${text.replaceAll(">", "&gt;")}</p>`);
  });

  it("during server rendering a long text is shown as plain text", () => {
    expect(renderToStaticMarkup(<MarkdownText text="**a**" id="m1" late />)).toContain("**a**");
  });
});
