import { ZOOM } from "./viewport.ts";

/** Up to this many calls all nodes stay in the DOM: mounting them on demand would be visible while panning. */
export const KEEP_ALL = 120;

/** React Flow only renders: selection, keyboard navigation and search are our own. */
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
