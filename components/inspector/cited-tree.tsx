"use client";

import type { ReactNode } from "react";
import { LoadButton } from "@/components/studio/load-button.tsx";
import { useCited } from "@/components/studio/use-cited.ts";
import { isRef } from "@/lib/session/json/cite.ts";
import type { Json } from "@/lib/session/json/json.ts";
import type { Ref } from "@/lib/session/session.ts";
import type { JsonRow } from "./json-rows.ts";
import { JsonTree } from "./json-tree.tsx";

interface CitedTreeProps {
  label: string;
  value: Json;
  asideOf?: (row: JsonRow) => ReactNode;
}

/** A value of a call as a tree; a large one is loaded on demand. */
export function CitedTree(props: CitedTreeProps) {
  return isRef(props.value) ? <Loading {...props} cited={props.value} /> : <Tree {...props} />;
}

function Loading({ cited, ...props }: CitedTreeProps & { cited: Ref }) {
  const loaded = useCited(cited);
  return loaded.value === undefined ? (
    <LoadButton cited={loaded} bytes={cited.bytes} />
  ) : (
    <Tree {...props} value={loaded.value} />
  );
}

function Tree(props: CitedTreeProps) {
  return <JsonTree {...props} className="-mx-3 max-h-90" />;
}
