import type { useTranslations } from "next-intl";
import type { Permission } from "@/lib/access/caller.ts";
import type { ShortcutName } from "./shortcuts.ts";

/** A message key with its full path. */
type Text = Parameters<ReturnType<typeof useTranslations<never>>>[0];

/** Shortcuts, or keys of a focused editor or tree, with their meaning on a page. */
export interface KeyLine {
  keys: readonly (ShortcutName | { printed: string })[];
  does: Text;
  /** The required permission, unless the shortcuts determine it. */
  needs?: Permission;
  /** Also shown in the page's footer, with this many of its keys. */
  brief?: number;
}

/** A group of keys. */
export interface KeyGroup {
  title: Text;
  lines: readonly KeyLine[];
}

const only = (...keys: string[]) => keys.map((printed) => ({ printed }));

/** The keys of each page, in the order of its help. Their meanings are in `shortcuts.ts`, once for all pages. */
export const PAGE_KEYS = {
  list: [
    {
      title: "list.caption",
      lines: [
        { keys: ["next", "previous", "down", "up"], does: "list.keys.move", brief: 2 },
        { keys: ["first", "last"], does: "list.keys.ends" },
        { keys: ["open"], does: "list.keys.open", brief: 1 },
        { keys: ["search"], does: "list.keys.search", brief: 1 },
        { keys: ["filter"], does: "list.keys.filter", brief: 1 },
        { keys: ["mark"], does: "list.keys.mark", brief: 1 },
        { keys: ["compare"], does: "list.keys.compare" },
        { keys: ["create"], does: "compose.newKey" },
      ],
    },
  ],
  overview: [
    {
      title: "overview.keys.title",
      lines: [
        { keys: only("←", "→"), does: "overview.keys.walk", brief: 2 },
        { keys: only("Enter"), does: "overview.keys.open", brief: 1 },
      ],
    },
  ],
  // Forms and tables without keys of their own.
  plain: [],
  welcome: [
    {
      title: "welcome.keys.title",
      lines: [
        { keys: ["firstPrompt", "secondPrompt", "thirdPrompt"], does: "welcome.keys.prompt", brief: 3 },
        { keys: ["search"], does: "welcome.keys.write", needs: "ingest", brief: 1 },
        { keys: ["studio"], does: "welcome.keys.studio", brief: 1 },
      ],
    },
  ],
  approvals: [
    {
      title: "approvals.keys.inbox",
      lines: [
        { keys: ["next", "previous", "down", "up"], does: "approvals.keys.move", brief: 2 },
        { keys: ["first", "last"], does: "approvals.keys.ends" },
        { keys: ["open"], does: "approvals.keys.read" },
        { keys: ["close"], does: "approvals.keys.back" },
        { keys: ["mark"], does: "approvals.keys.mark", needs: "decide", brief: 1 },
      ],
    },
    {
      title: "approvals.keys.decision",
      lines: [
        { keys: ["approve"], does: "approvals.keys.approve", needs: "decide", brief: 1 },
        { keys: ["edit"], does: "approvals.keys.edit", needs: "decide", brief: 1 },
        { keys: ["deny"], does: "approvals.keys.deny", needs: "decide", brief: 1 },
        { keys: ["studio"], does: "approvals.keys.studio", brief: 1 },
      ],
    },
  ],
  alerts: [
    {
      title: "alerts.keys.title",
      lines: [
        { keys: ["next", "previous"], does: "alerts.keys.move", brief: 2 },
        { keys: ["studio"], does: "alerts.keys.studio", brief: 1 },
        { keys: ["takeOver"], does: "alerts.keys.takeOver", brief: 1 },
      ],
    },
  ],
  audit: [
    {
      title: "audit.caption",
      lines: [
        { keys: ["next", "previous", "down", "up"], does: "audit.keys.move" },
        { keys: ["open"], does: "audit.keys.open" },
      ],
    },
  ],
  agents: [
    {
      title: "agents.title",
      lines: [
        { keys: ["next", "previous"], does: "agents.keys.move", brief: 2 },
        { keys: ["open"], does: "agents.keys.open", brief: 1 },
        { keys: ["search"], does: "agents.keys.filter", brief: 1 },
      ],
    },
    {
      title: "agents.keys.writing",
      lines: [
        { keys: only("Ctrl S"), does: "agents.keys.save", needs: "ingest" },
        { keys: ["close"], does: "agents.keys.leave", needs: "ingest" },
      ],
    },
    {
      title: "agents.keys.tree",
      lines: [
        { keys: only("↑", "↓", "←", "→"), does: "agents.keys.treeMove" },
        { keys: ["copyValue", "copyPath"], does: "agents.keys.treeCopy" },
      ],
    },
  ],
  compare: [
    {
      title: "compare.title",
      lines: [
        { keys: ["nextFinding"], does: "compare.next", brief: 1 },
        { keys: ["previousFinding"], does: "compare.previous", brief: 1 },
        { keys: only("←", "→"), does: "compare.keysTab" },
      ],
    },
  ],
  plans: [
    {
      title: "playground.title",
      lines: [
        { keys: ["search"], does: "playground.keys.add", brief: 1 },
        { keys: ["open"], does: "playground.keys.form" },
        { keys: ["edit"], does: "playground.keys.text", brief: 1 },
        { keys: ["drawEdge"], does: "playground.keys.connect", brief: 1 },
        { keys: ["mark"], does: "playground.keys.mark" },
        { keys: ["selectAll"], does: "playground.keys.selectAll" },
        { keys: only("Shift F10"), does: "playground.keys.menu" },
        { keys: ["duplicate"], does: "playground.keys.duplicate" },
        { keys: only("Ctrl C", "Ctrl X", "Ctrl V"), does: "playground.keys.clipboard" },
        { keys: ["remove"], does: "playground.keys.remove" },
        { keys: ["undo", "redo"], does: "playground.keys.undoRedo" },
        { keys: ["backward", "forward"], does: "playground.keys.waves", brief: 2 },
        { keys: ["play"], does: "playground.keys.play", brief: 1 },
        { keys: ["run"], does: "playground.keys.run", brief: 1 },
        { keys: ["save"], does: "playground.keys.save", brief: 1 },
      ],
    },
    {
      title: "playground.keys.editor",
      lines: [
        { keys: only("Ctrl Space"), does: "playground.keys.complete" },
        { keys: only("Tab"), does: "playground.keys.accept" },
        { keys: only("F8"), does: "playground.keys.nextProblem" },
        { keys: only("Ctrl F"), does: "playground.keys.find" },
        { keys: only("Ctrl Z"), does: "playground.keys.undo" },
        { keys: only("Ctrl ]", "Ctrl ["), does: "playground.keys.indent" },
      ],
    },
  ],
  prompts: [
    {
      title: "workbench.title",
      lines: [
        { keys: ["edit"], does: "workbench.keys.template", brief: 1 },
        { keys: ["search"], does: "workbench.keys.search", brief: 1 },
        { keys: only("←", "→"), does: "workbench.keys.placeholder" },
      ],
    },
  ],
  studio: [
    {
      title: "studio.keys.replay",
      lines: [
        { keys: ["play"], does: "studio.keys.play" },
        { keys: ["backward", "forward"], does: "studio.keys.step" },
        { keys: ["previousCall", "nextCall"], does: "studio.keys.call" },
        { keys: ["previousMessage", "nextMessage"], does: "studio.keys.message" },
        { keys: ["nextFinding", "previousFinding"], does: "studio.keys.error" },
        { keys: ["nextApproval", "previousApproval"], does: "studio.keys.approval" },
        { keys: ["nextAlert", "previousAlert"], does: "studio.keys.alert" },
        { keys: ["bookmark"], does: "studio.keys.bookmark" },
        { keys: ["first", "last"], does: "studio.keys.ends" },
        { keys: ["live"], does: "studio.keys.live" },
      ],
    },
    {
      title: "studio.keys.view",
      lines: [
        { keys: ["zoomIn", "zoomOut", "zoomAll"], does: "studio.keys.zoom" },
        { keys: ["rangeBegin", "rangeEnd"], does: "studio.keys.range" },
        { keys: ["map"], does: "studio.keys.map" },
        { keys: ["close"], does: "studio.keys.clear" },
        { keys: ["search"], does: "studio.keys.find" },
      ],
    },
    {
      title: "studio.keys.list",
      lines: [
        { keys: ["next", "previous"], does: "studio.keys.walk" },
        { keys: ["list"], does: "studio.keys.back" },
      ],
    },
    {
      title: "studio.keys.tree",
      lines: [
        { keys: only("↑", "↓", "←", "→"), does: "studio.keys.treeMove" },
        { keys: only("Enter"), does: "studio.keys.treeSelect" },
        { keys: ["copyValue", "copyPath"], does: "studio.keys.treeCopy" },
      ],
    },
  ],
} as const satisfies Record<string, readonly KeyGroup[]>;

export type KeyPage = keyof typeof PAGE_KEYS;

/** Keys of every page. */
export const EVERYWHERE: KeyGroup = {
  title: "common.keys.page",
  lines: [
    { keys: only("Ctrl K", "⌘ K"), does: "common.keys.palette" },
    { keys: ["help"], does: "common.keys.help" },
    { keys: ["undo"], does: "common.keys.undo", needs: "decide" },
    { keys: ["close"], does: "common.keys.escape" },
  ],
};
