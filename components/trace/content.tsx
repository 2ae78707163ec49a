"use client";

import { JsonTree } from "@/components/inspector/json-tree.tsx";
import { isJsonObject, type Json } from "@/lib/session/json/json.ts";

/** The content of a trace step: text as it is, an object by field, deeper values as a tree. */
export function Content({ value, label }: { value: Json; label: string }) {
  if (value === null) return <p className="text-fg-3">–</p>;
  if (!isJsonObject(value)) return <Value value={value} label={label} />;
  return (
    <dl className="grid grid-cols-[84px_minmax(0,1fr)] gap-x-2 gap-y-0.5">
      {Object.entries(value).map(([name, entry]) => (
        <div key={name} className="col-span-2 grid grid-cols-subgrid items-start">
          <dt className="text-11 leading-[var(--lh-body)] text-fg-3 wrap-anywhere">{name}</dt>
          <dd className="min-w-0">
            <Value value={entry} label={name} />
          </dd>
        </div>
      ))}
    </dl>
  );
}

function Value({ value, label }: { value: Json; label: string }) {
  if (typeof value === "string")
    return <p className="text-13 leading-[var(--lh-body)] text-pretty whitespace-pre-wrap wrap-anywhere">{value}</p>;
  if (Array.isArray(value) && value.length > 0 && value.every((entry) => typeof entry === "string"))
    return (
      <ul className="list-disc pl-4 text-13 leading-[var(--lh-body)] marker:text-fg-3">
        {value.map((entry, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: an entry is known by its place
          <li key={index} className="wrap-anywhere">
            {entry}
          </li>
        ))}
      </ul>
    );
  if (typeof value === "object" && value !== null && Object.keys(value).length > 0)
    return <JsonTree label={label} value={value} className="-ml-4 max-h-60" />;
  return <code className="block font-mono text-11 leading-[var(--lh-body)]">{JSON.stringify(value)}</code>;
}
