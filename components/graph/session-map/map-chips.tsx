"use client";

import { Icon } from "@/components/ui/icon.tsx";
import { monoWidth } from "../layout/text-width.ts";
import type { PlacedCard } from "./layout.ts";
import { SIZES } from "./layout.ts";
import type { Chip } from "./links.ts";
import { useMapActions } from "./map-actions.ts";

const LONGEST = 16;
const GAP = 4;
const MORE = 26;
const PADDING = 11;
const ICON = 15;

interface MapChipsProps {
  placed: PlacedCard;
  chips: readonly Chip[];
  /** The values that are followed. */
  lit: ReadonlySet<string> | null;
  /** Small targets are no buttons on a phone. */
  still: boolean;
}

/** The values that a call used, above its card, as many as fit; those that are followed come first. */
export function MapChips({ placed, chips, lit, still }: MapChipsProps) {
  const { follow } = useMapActions();
  if (chips.length === 0) return null;
  const ordered = lit ? [...chips].sort((a, b) => Number(lit.has(b.id)) - Number(lit.has(a.id))) : chips;
  const shown = fitting(ordered, placed.width);
  const hidden = ordered.slice(shown.length);
  return (
    <div className="sm-chips" style={{ left: placed.x, top: placed.y - SIZES.chips, width: placed.width }}>
      {shown.map((chip) => {
        const look = {
          className: "sm-chip",
          "data-kind": chip.kind,
          "data-lit": lit?.has(chip.id) || undefined,
          title: `${chip.value} → ${chip.source.to.replace(/^\//, "")}`,
        };
        const content = (
          <>
            {chip.kind === "message" && <Icon name="thread" size={12} />}
            <span>{short(chip.value)}</span>
          </>
        );
        return still ? (
          <span key={chip.id} {...look}>
            {content}
          </span>
        ) : (
          <button key={chip.id} type="button" tabIndex={-1} {...look} onClick={() => follow(chip.source)}>
            {content}
          </button>
        );
      })}
      {hidden.length > 0 && (
        <span className="sm-more" title={hidden.map(({ value }) => short(value)).join(", ")}>
          +{hidden.length}
        </span>
      )}
    </div>
  );
}

function fitting(chips: readonly Chip[], width: number): readonly Chip[] {
  let left = width - (chips.length > 1 ? MORE : 0);
  const end = chips.findIndex((chip, index) => {
    left -= chipWidth(chip) + (index > 0 ? GAP : 0);
    return index > 0 && left < 0;
  });
  return end < 0 ? chips : chips.slice(0, end);
}

function chipWidth({ value, kind }: Chip): number {
  return monoWidth(short(value)) + PADDING + (kind === "message" ? ICON : 0);
}

/** The middle of a long value says the least: ids differ at their ends. */
function short(value: string): string {
  const letters = [...value];
  if (letters.length <= LONGEST) return value;
  return `${letters.slice(0, LONGEST - 5).join("")}…${letters.slice(-4).join("")}`;
}
