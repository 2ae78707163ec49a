"use client";

import { useTranslations } from "next-intl";
import { useLayoutEffect, useRef, useState } from "react";
import { releaseKeys } from "@/components/keys/keyboard-capture.ts";
import { Icon } from "@/components/ui/icon.tsx";
import { Kbd } from "@/components/ui/kbd.tsx";
import { ListboxField } from "@/components/ui/listbox-field.tsx";
import { useListbox } from "@/components/ui/use-listbox.ts";
import { useConversationSearch } from "@/components/workbench/source/use-conversation-search.ts";
import { type Command, offeredCommands } from "./command.ts";
import { rankCommands } from "./rank.ts";
import { useConsoleCommands } from "./use-console-commands.ts";

/** The command palette (C2): type to filter, arrow keys move, Enter runs a command, Escape closes. */
export function Palette({ onClose }: { onClose: () => void }) {
  const t = useTranslations("palette");
  const dialog = useRef<HTMLDialogElement>(null);
  const chosen = useRef<Command>(null);
  const [typed, setTyped] = useState("");
  // The page's commands when the palette was opened.
  const [onPage] = useState(commandsOnPage);
  const { found, error, isTheirs } = useConversationSearch(typed, true);
  const everywhere = useConsoleCommands(isTheirs ? found : []);
  const groups = rankCommands([...onPage, ...offeredCommands(typed), ...everywhere], typed);
  const commands = groups.flatMap((group) => group.commands);
  const choose = (index: number) => {
    chosen.current = commands[index] ?? null;
    dialog.current?.close();
  };
  const list = useListbox(
    commands.map(({ id }) => id),
    choose,
  );

  // The outside systems are the browser's top layer and the keyboard: keys typed while loading are added before the
  // next one.
  useLayoutEffect(() => {
    dialog.current?.showModal();
    const early = releaseKeys();
    if (early !== "") setTyped(early);
  }, []);

  return (
    <dialog
      ref={dialog}
      data-palette
      closedby="any"
      aria-label={t("title")}
      // A command runs after the focus has returned to the page.
      onClose={() => {
        onClose();
        chosen.current?.run();
      }}
      className="dialog mt-[12vh]! w-150 max-w-[94vw] overflow-hidden text-12 text-fg"
    >
      <div className="flex max-h-[min(520px,76vh)] flex-col">
        {/* biome-ignore lint/a11y/noLabelWithoutControl: the field, which is named by itself, is a component */}
        <label className="flex flex-none items-center gap-2 border-line border-b px-3 text-fg-3">
          <Icon name="search" />
          <ListboxField
            list={list}
            label={t("field")}
            value={typed}
            onType={setTyped}
            className="h-11 min-w-0 flex-1 text-14 text-fg"
          />
          <Kbd>Esc</Kbd>
        </label>
        <div id={list.listId} role="listbox" aria-label={t("title")} className="min-h-0 flex-1 overflow-y-auto p-1.5">
          {groups.map(({ group, commands: shown }) => (
            // biome-ignore lint/a11y/useSemanticElements: a listbox has groups of options, not of fields
            <div key={group} role="group" aria-labelledby={`palette-${group}`} className="not-first:mt-1.5">
              <div id={`palette-${group}`} role="presentation" className="px-2 pt-1 pb-0.5 text-11 text-fg-3">
                {t(`groups.${group}`)}
              </div>
              {shown.map((command) => {
                const index = commands.indexOf(command);
                return (
                  <Option
                    key={command.id}
                    id={list.optionId(index)}
                    command={command}
                    active={index === list.active}
                    onPoint={() => list.setActive(index)}
                    onChoose={() => choose(index)}
                  />
                );
              })}
            </div>
          ))}
        </div>
        <p role="status" className={commands.length > 0 && !error ? "sr-only" : "flex-none px-3.5 pb-3 text-fg-3"}>
          {error ? error.message : commands.length === 0 ? t(isTheirs ? "none" : "looking") : ""}
        </p>
      </div>
    </dialog>
  );
}

interface OptionProps {
  id: string;
  command: Command;
  active: boolean;
  onPoint: () => void;
  onChoose: () => void;
}

function Option({ id, command: { icon, label, detail, keys }, active, onPoint, onChoose }: OptionProps) {
  return (
    // biome-ignore lint/a11y/useFocusableInteractive: the focus stays in the text field, which names the active option
    // biome-ignore lint/a11y/useKeyWithClickEvents: as above
    <div
      id={id}
      role="option"
      aria-selected={active}
      onPointerMove={active ? undefined : onPoint}
      onClick={onChoose}
      className={`flex min-h-7.5 phone:min-h-11 cursor-pointer items-center gap-2 rounded-2 px-2 ${active ? "bg-active" : ""}`}
    >
      <Icon name={icon} size={14} className="text-fg-3" />
      <span className="min-w-0 truncate">{label}</span>
      {detail && <span className="max-w-[45%] flex-none truncate text-11 text-fg-3">{detail}</span>}
      {keys && (
        <span className="ml-auto flex flex-none gap-1">
          {keys.map((key) => (
            <Kbd key={key}>{key}</Kbd>
          ))}
        </span>
      )}
    </div>
  );
}

/**
 * The page's visible actions: buttons and links with `data-command`. Running one clicks it, with its confirmation if it
 * has one.
 */
function commandsOnPage(): Command[] {
  const marked = [...document.querySelectorAll<HTMLElement>("[data-command]")];
  return marked
    .filter((element) => element.checkVisibility() && !element.matches(":disabled"))
    .map((element, index) => ({
      id: `here-${index}`,
      group: "here",
      icon: "play",
      label: element.ariaLabel ?? element.textContent?.trim() ?? "",
      run: () => {
        element.focus();
        element.click();
      },
    }));
}
