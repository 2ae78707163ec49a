"use client";

import { type ReactNode, useId } from "react";

interface SegmentedProps<T extends string> {
  /** The accessible name. */
  label: string;
  value: T;
  options: readonly { value: T; label: ReactNode; title?: string }[];
  onChange: (value: T) => void;
  className?: string;
}

/** A choice of a few values side by side, as native radio buttons. */
export function Segmented<T extends string>({ label, value, options, onChange, className = "" }: SegmentedProps<T>) {
  const name = useId();
  return (
    <fieldset
      aria-label={label}
      className={`inline-flex h-[var(--control)] flex-none overflow-hidden rounded-2 border border-line-strong focus-within:has-focus-visible:shadow-focus ${className}`}
    >
      {options.map((option) => (
        <label
          key={option.value}
          title={option.title}
          className="inline-flex cursor-pointer items-center gap-1.25 border-line border-l px-2 whitespace-nowrap text-fg-2 first:border-l-0 hover:bg-hover has-checked:bg-active has-checked:font-medium has-checked:text-fg has-disabled:cursor-default has-[:disabled:not(:checked)]:text-fg-off"
        >
          <input
            type="radio"
            name={name}
            className="sr-only"
            checked={option.value === value}
            onChange={() => onChange(option.value)}
          />
          {option.label}
        </label>
      ))}
    </fieldset>
  );
}
