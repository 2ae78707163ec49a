"use client";

import { useTranslations } from "next-intl";
import { type FocusEvent, type PointerEvent, type ReactNode, useRef } from "react";
import type { EdgeEvidence } from "./use-evidence.ts";

interface EvidenceProps {
  evidence: EdgeEvidence;
  /** One control, whose name says the same. */
  children: ReactNode;
}

/** Why an edge is drawn that nobody declared, over everything, on hover and on keyboard focus; Escape takes it away. */
export function Evidence({ evidence: { source, lines, more }, children }: EvidenceProps) {
  const t = useTranslations("graph.inferred");
  const tip = useRef<HTMLDivElement>(null);
  const show = ({ currentTarget }: PointerEvent | FocusEvent) => {
    const control = currentTarget.firstElementChild;
    if (control instanceof HTMLElement) tip.current?.showPopover({ source: control });
  };
  const hide = () => tip.current?.hidePopover();
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: it listens to the control inside it and has no box of its own
    <span
      className="contents"
      onPointerEnter={(event) => event.pointerType === "mouse" && show(event)}
      onPointerLeave={hide}
      onFocus={(event) => event.target.matches(":focus-visible") && show(event)}
      onBlur={hide}
      onClick={hide}
      onKeyDown={(event) => event.key === "Escape" && hide()}
    >
      {children}
      <div ref={tip} popover="manual" aria-hidden className="pg-evidence">
        <p>{source}</p>
        <dl>
          {lines.map(({ text, value, way }) => (
            <div key={text}>
              <dt>{value}</dt>
              <dd>{way}</dd>
            </div>
          ))}
        </dl>
        {more > 0 && <p>{t("more", { count: more })}</p>}
      </div>
    </span>
  );
}
