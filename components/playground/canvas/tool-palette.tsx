"use client";

import { useTranslations } from "next-intl";
import { useState } from "react";
import { Icon } from "@/components/ui/icon.tsx";
import { IconButton } from "@/components/ui/icon-button.tsx";
import { ListboxField } from "@/components/ui/listbox-field.tsx";
import { useListbox } from "@/components/ui/use-listbox.ts";
import type { Tool } from "@/lib/plan/tool.ts";
import type { KnownTools } from "../editor/toolbox.ts";
import { findTools } from "./find-tools.ts";

/** The type of a tool's name while it is dragged. */
export const TOOL_TYPE = "application/x-obelus-tool";

interface ToolPaletteProps {
  known: KnownTools;
  onAdd: (tool: string) => void;
  onClose: () => void;
}

/** The tools that a call can be added of: type to filter, Enter or a click adds, dragging adds where it is dropped. */
export function ToolPalette({ known, onAdd, onClose }: ToolPaletteProps) {
  const t = useTranslations("playground.draw.palette");
  const [typed, setTyped] = useState("");
  const { tools, more } = findTools([...known.tools.values()], typed);
  const choose = (index: number) => {
    const tool = tools[index];
    if (!tool) return;
    onAdd(tool.name);
    // What is typed next is the next tool; Enter alone adds the same again.
    if (document.activeElement instanceof HTMLInputElement) document.activeElement.select();
  };
  const list = useListbox(
    tools.map(({ name }) => name),
    choose,
  );
  return (
    <section
      aria-label={t("title")}
      className="pl-palette"
      onKeyDown={(event) => {
        if (event.key !== "Escape") return;
        event.stopPropagation();
        onClose();
      }}
    >
      <div className="flex flex-none items-center gap-2 border-line border-b pr-1.5 pl-2.5 text-fg-3">
        <Icon name="search" size={14} />
        <ListboxField
          list={list}
          label={t("field")}
          value={typed}
          onType={setTyped}
          className="h-8 min-w-0 flex-1 text-fg"
        />
        <IconButton icon="close" name={t("close")} onClick={onClose} />
      </div>
      <div id={list.listId} role="listbox" aria-label={t("title")} className="min-h-0 flex-1 overflow-y-auto p-1">
        {tools.map((tool, index) => (
          <ToolOption
            key={tool.name}
            id={list.optionId(index)}
            tool={tool}
            active={index === list.active}
            onPoint={() => list.setActive(index)}
            onChoose={() => choose(index)}
          />
        ))}
      </div>
      <p role="status" className="flex-none border-line border-t px-2.5 py-1.5 text-11 text-pretty text-fg-3">
        {tools.length === 0
          ? t(known.tools.size === 0 ? "noTools" : "none")
          : more > 0
            ? t("more", { count: more })
            : t("hint")}
      </p>
    </section>
  );
}

interface ToolOptionProps {
  id: string;
  tool: Tool;
  active: boolean;
  onPoint: () => void;
  onChoose: () => void;
}

function ToolOption({ id, tool: { name, description }, active, onPoint, onChoose }: ToolOptionProps) {
  return (
    // biome-ignore lint/a11y/useFocusableInteractive: the focus stays in the text field, which names the active option
    // biome-ignore lint/a11y/useKeyWithClickEvents: as above
    <div
      id={id}
      role="option"
      aria-selected={active}
      draggable
      onDragStart={({ dataTransfer }) => {
        dataTransfer.setData(TOOL_TYPE, name);
        dataTransfer.effectAllowed = "copy";
      }}
      onPointerMove={active ? undefined : onPoint}
      onClick={onChoose}
      className={`cursor-grab rounded-2 px-2 py-1 ${active ? "bg-active" : ""}`}
    >
      <span className="block truncate font-medium">{name}</span>
      {description && <span className="block truncate text-11 text-fg-3">{description}</span>}
    </div>
  );
}
