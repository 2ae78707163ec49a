"use client";

import { useEffect } from "react";
import { patternOf, placesOf, wordsOf } from "@/lib/session/find/find-words.ts";

/** The name of the CSS highlight, which find.css styles. */
const NAME = "find";

/** The most highlights; they are recomputed on every change of the page. */
const MOST = 2_000;

/**
 * Highlights words below an element with the CSS Custom Highlight API, which does not change the DOM. Browsers without
 * it only show the panel's excerpts.
 */
export function useHighlights(selector: string, q: string): void {
  // The outside system is the document, whose texts change.
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
