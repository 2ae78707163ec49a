import { ZOOM } from "./viewport.ts";

/** Up to so many calls all are kept in the page: drawing them when they come into view would show while panning. */
export const KEEP_ALL = 120;

/** React Flow only draws: what is selected, moved by keys and found is ours. */
export const CANVAS_SETTINGS = {
  minZoom: ZOOM.least,
  maxZoom: ZOOM.most,
  nodesDraggable: false,
  nodesConnectable: false,
  nodesFocusable: false,
  edgesFocusable: false,
  elementsSelectable: false,
  panOnScroll: true,
  zoomOnDoubleClick: false,
  deleteKeyCode: null,
  selectionKeyCode: null,
  multiSelectionKeyCode: null,
  disableKeyboardA11y: true,
  proOptions: { hideAttribution: true },
} as const;
