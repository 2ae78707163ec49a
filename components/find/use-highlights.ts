"use client";

import { useEffect } from "react";
import { patternOf, placesOf, wordsOf } from "@/lib/session/find/find-words.ts";

/** The name by which find.css colours the hits. */
const NAME = "find";

/** More hits than a person looks at on one screen; marking goes on with every change of the page. */
const MOST = 2_000;

/**
 * Marks words wherever they stand below the element, without changing what it holds: the browser's own highlights. One that
 * has none shows the panel's excerpts alone.
 */
export function useHighlights(selector: string, q: string): void {
  // The outside system is the document: its texts change by other hands than ours.
  useEffect(() => {
    const pattern = patternOf(wordsOf(q));
    if (pattern === null || !("highlights" in CSS)) return;
    let frame = 0;
    const mark = () => {
      const roots = document.querySelectorAll(selector);
      CSS.highlights.set(NAME, new Highlight(...[...roots].flatMap((root) => rangesIn(root, pattern)).slice(0, MOST)));
    };
    const later = () => {
      cancelAnimationFrame(frame);
      frame = requestAnimationFrame(mark);
    };
    mark();
    const observer = new MutationObserver(later);
    observer.observe(document.body, { subtree: true, childList: true, characterData: true });
    return () => {
      observer.disconnect();
      cancelAnimationFrame(frame);
      CSS.highlights.delete(NAME);
    };
  }, [selector, q]);
}

function rangesIn(root: Element, pattern: RegExp): Range[] {
  const ranges: Range[] = [];
  const texts = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
  for (let node = texts.nextNode(); node && ranges.length < MOST; node = texts.nextNode()) {
    for (const [from, to] of placesOf(node.textContent ?? "", pattern)) {
      const range = new Range();
      range.setStart(node, from);
      range.setEnd(node, to);
      ranges.push(range);
    }
  }
  return ranges;
}
