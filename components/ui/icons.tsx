import type { ReactNode } from "react";

/** The shapes of all icons, on a 16 by 16 grid with a 1.5 stroke. */
export const ICONS = {
  api: <path d="M5.5 4 2.5 8l3 4M10.5 4l3 4-3 4" />,
  blocked: (
    <>
      <rect x="2.75" y="2.75" width="10.5" height="10.5" rx="1.5" />
      <path d="M5.5 8h5" />
    </>
  ),
  bookmark: <path d="M4.5 2.5h7v11L8 10.6l-3.5 2.9z" />,
  bookmarked: <path d="M4.5 2.5h7v11L8 10.6l-3.5 2.9z" fill="currentColor" />,
  call: (
    <path d="M4 4h8a1.5 1.5 0 0 1 1.5 1.5v5A1.5 1.5 0 0 1 12 12H4a1.5 1.5 0 0 1-1.5-1.5v-5A1.5 1.5 0 0 1 4 4zM5 7h4M5 9.3h2.5" />
  ),
  cancelled: (
    <>
      <circle cx="8" cy="8" r="5.25" />
      <rect x="6.2" y="6.2" width="3.6" height="3.6" fill="currentColor" stroke="none" />
    </>
  ),
  check: <path d="m3.5 8.4 3 3 6-6.8" />,
  clock: (
    <>
      <circle cx="8" cy="8" r="5.25" />
      <path d="M8 5.2V8l2 1.4" />
    </>
  ),
  close: <path d="m4 4 8 8M12 4l-8 8" />,
  compare: (
    <>
      <rect x="2.5" y="3" width="4.2" height="10" rx="1" />
      <rect x="9.3" y="3" width="4.2" height="10" rx="1" />
      <path d="M4 6h1.2M4 8.5h1.2M10.8 6H12M10.8 8.5H12" />
    </>
  ),
  copy: (
    <>
      <rect x="5.5" y="5.5" width="8" height="8" rx="1.5" />
      <path d="M3.4 10.5A1.5 1.5 0 0 1 2.5 9V4A1.5 1.5 0 0 1 4 2.5h5a1.5 1.5 0 0 1 1.4.9" />
    </>
  ),
  delegate: (
    <>
      <rect x="2.25" y="3.25" width="11.5" height="9.5" rx="1.5" />
      <rect x="4.5" y="6" width="3" height="4" rx=".6" />
      <path d="M9.5 8h2" />
    </>
  ),
  denied: (
    <>
      <circle cx="8" cy="8" r="5.25" />
      <path d="m4.4 4.4 7.2 7.2" />
    </>
  ),
  down: <path d="m4.5 6.5 3.5 3.5 3.5-3.5" />,
  escalated: (
    <>
      <path d="M8 2.5 14 13H2z" />
      <path d="M8 6.6v2.8" />
      <circle cx="8" cy="11.1" r=".4" fill="currentColor" />
    </>
  ),
  export: <path d="M8 9.8V2.5M5.2 5.2 8 2.4l2.8 2.8M3 9.5v3.8h10V9.5" />,
  failed: (
    <>
      <path d="M5.8 2.75h4.4l3.05 3.05v4.4l-3.05 3.05H5.8L2.75 10.2V5.8z" />
      <path d="m6.3 6.3 3.4 3.4M9.7 6.3 6.3 9.7" />
    </>
  ),
  filter: <path d="M2.5 4.5h11M4.5 8h7M6.5 11.5h3" />,
  fit: <path d="M2.5 5.5v-3h3M13.5 5.5v-3h-3M2.5 10.5v3h3M13.5 10.5v3h-3" />,
  fork: (
    <>
      <circle cx="4.5" cy="3.5" r="1.5" />
      <circle cx="11.5" cy="3.5" r="1.5" />
      <circle cx="8" cy="12.5" r="1.5" />
      <path d="M4.5 5v1.2c0 1.2.8 2 2 2h3c1.2 0 2-.8 2-2V5M8 8.2V11" />
    </>
  ),
  handled: (
    <>
      <path d="M5.8 2.75h4.4l3.05 3.05v4.4l-3.05 3.05H5.8L2.75 10.2V5.8z" />
      <path d="M5.2 8h5M8.3 5.9 10.4 8l-2.1 2.1" />
    </>
  ),
  hide: (
    <>
      <path d="M1.75 8S4 3.75 8 3.75 14.25 8 14.25 8 12 12.25 8 12.25 1.75 8 1.75 8z" />
      <path d="m3 13 10-10" />
    </>
  ),
  import: <path d="M8 2.5v7.3M5.2 7.1 8 9.9l2.8-2.8M3 9.5v3.8h10V9.5" />,
  inferred: <path d="M2.5 11.5h2M6.5 11.5V9M6.5 6.5v-2h1.6M10 4.5h3.2M11 2.2l2.4 2.3L11 6.8" />,
  keyboard: (
    <>
      <rect x="1.75" y="4" width="12.5" height="8" rx="1.5" />
      <path d="M4.5 6.75h.01M7 6.75h.01M9.5 6.75h.01M12 6.75h-.5M5 9.5h6" />
    </>
  ),
  key: (
    <>
      <circle cx="5.25" cy="10.75" r="2.5" />
      <path d="m7.1 8.9 5.6-5.6M10.2 5.8l1.9 1.9" />
    </>
  ),
  leave: <path d="M6.5 2.75H3.25v10.5H6.5M6.5 8h7M10.75 5.25 13.5 8l-2.75 2.75" />,
  left: <path d="M9.5 4.5 6 8l3.5 3.5" />,
  lock: (
    <>
      <rect x="3.25" y="7" width="9.5" height="6.25" rx="1.25" />
      <path d="M5.25 7V5a2.75 2.75 0 0 1 5.5 0v2" />
    </>
  ),
  manager: (
    <>
      <circle cx="8" cy="5.4" r="2.4" />
      <path d="M3.2 13.2c.5-2.6 2.4-4 4.8-4s4.3 1.4 4.8 4" />
    </>
  ),
  menu: <path d="M2.5 4.5h11M2.5 8h11M2.5 11.5h11" />,
  minus: <path d="M3.5 8h9" />,
  moon: <path d="M13.2 9.6A5.6 5.6 0 0 1 6.4 2.8 5.6 5.6 0 1 0 13.2 9.6z" />,
  more: <path d="M3.5 8h.01M8 8h.01M12.5 8h.01" strokeWidth="2.25" />,
  "next-call": (
    <>
      <rect x="2.5" y="5.5" width="5" height="5" rx="1" />
      <path d="m10.2 5 3 3-3 3" />
    </>
  ),
  "next-message": (
    <>
      <path d="M2 4.5h6.5v5.2H5.6L3.7 11.3V9.7H2z" />
      <path d="m11 5 3 3-3 3" />
    </>
  ),
  "next-step": <path d="M5.5 4.5 9 8l-3.5 3.5M11.5 4.5v7" />,
  obelus: <path d="M8 1.5v13M3.8 5.4h8.4" />,
  otlp: <path d="M2 8h2.5L6 4l3 8 1.6-4H14" />,
  pause: <path d="M5.5 3.5v9M10.5 3.5v9" strokeWidth="2.25" />,
  pencil: <path d="m3 13 .6-2.8 7-7 2.2 2.2-7 7z" />,
  planned: <circle cx="8" cy="8" r="5.25" strokeDasharray="1.6 2.4" />,
  play: <path d="M5 3.2v9.6l7.6-4.8z" fill="currentColor" />,
  plus: <path d="M8 3.5v9M3.5 8h9" />,
  "previous-call": (
    <>
      <rect x="8.5" y="5.5" width="5" height="5" rx="1" />
      <path d="m5.8 5-3 3 3 3" />
    </>
  ),
  "previous-message": (
    <>
      <path d="M7.5 4.5H14v5.2h-1.7l-1.9 1.6V9.7H7.5z" />
      <path d="M5 5 2 8l3 3" />
    </>
  ),
  "previous-step": <path d="M10.5 4.5 7 8l3.5 3.5M4.5 4.5v7" />,
  read: <path d="M2 8h9M8 5l3 3-3 3M13.5 3.5v9" />,
  redo: <path d="M13 6.5H6.2a3.2 3.2 0 0 0 0 6.4h2.3M10.2 3.6 13 6.5l-2.8 2.9" />,
  retry: (
    <>
      <path d="M13 8a5 5 0 1 1-1.6-3.7" />
      <path d="M13 2.6v2.6h-2.6" />
    </>
  ),
  right: <path d="m6.5 4.5 3.5 3.5-3.5 3.5" />,
  running: (
    <>
      <path d="M13.25 8A5.25 5.25 0 1 1 8 2.75" />
      <circle cx="8" cy="8" r="1.6" fill="currentColor" stroke="none" />
    </>
  ),
  screen: (
    <>
      <rect x="2.25" y="3" width="11.5" height="8" rx="1.5" />
      <path d="M5.5 13.5h5" />
    </>
  ),
  search: (
    <>
      <circle cx="7" cy="7" r="4.25" />
      <path d="m10.2 10.2 3.3 3.3" />
    </>
  ),
  settings: (
    <>
      <path d="M6.8 2h2.4l.4 1.75 1.15.66 1.72-.53 1.2 2.08-1.32 1.22v1.64l1.32 1.22-1.2 2.08-1.72-.53-1.15.66L9.2 14H6.8l-.4-1.75-1.15-.66-1.72.53-1.2-2.08 1.32-1.22V7.18L2.33 5.96l1.2-2.08 1.72.53 1.15-.66z" />
      <circle cx="8" cy="8" r="1.9" />
    </>
  ),
  share: (
    <>
      <path d="M6.6 9.4a2.6 2.6 0 0 0 3.7 0l2.4-2.4A2.6 2.6 0 0 0 9 3.3l-.9.9" />
      <path d="M9.4 6.6a2.6 2.6 0 0 0-3.7 0L3.3 9A2.6 2.6 0 0 0 7 12.7l.9-.9" />
    </>
  ),
  show: (
    <>
      <path d="M1.75 8S4 3.75 8 3.75 14.25 8 14.25 8 12 12.25 8 12.25 1.75 8 1.75 8z" />
      <circle cx="8" cy="8" r="1.9" />
    </>
  ),
  skipped: (
    <>
      <path d="M2.5 10.5c1-4.2 7-5.4 10-1.5" />
      <path d="M13 5.6V9h-3.4" />
      <circle cx="7.4" cy="11.6" r="1" fill="currentColor" stroke="none" />
    </>
  ),
  star: <path d="m8 2.4 1.7 3.5 3.9.6-2.8 2.7.7 3.8L8 11.2 4.5 13l.7-3.8-2.8-2.7 3.9-.6z" />,
  "star-full": <path d="m8 2.4 1.7 3.5 3.9.6-2.8 2.7.7 3.8L8 11.2 4.5 13l.7-3.8-2.8-2.7 3.9-.6z" fill="currentColor" />,
  succeeded: (
    <>
      <circle cx="8" cy="8" r="5.25" />
      <path d="M5.6 8.2 7.3 9.9l3.2-3.6" />
    </>
  ),
  sun: (
    <>
      <circle cx="8" cy="8" r="2.75" />
      <path d="M8 1.6v1.3M8 13.1v1.3M1.6 8h1.3M13.1 8h1.3M3.5 3.5l.9.9M11.6 11.6l.9.9M12.5 3.5l-.9.9M4.4 11.6l-.9.9" />
    </>
  ),
  superseded: (
    <>
      <rect x="2.5" y="2.5" width="7.5" height="7.5" rx="1.5" />
      <path d="M12.2 6h.3A1.5 1.5 0 0 1 14 7.5V12a1.5 1.5 0 0 1-1.5 1.5H8A1.5 1.5 0 0 1 6.5 12.3" />
    </>
  ),
  table: (
    <>
      <rect x="2.5" y="3" width="11" height="10" rx="1" />
      <path d="M2.5 6.5h11M2.5 9.75h11M6.5 6.5V13" />
    </>
  ),
  telegram: <path d="m2.2 7.6 11.3-4.4-1.9 9.9-4-2.9-2 2.1-.3-3.5 5-4" />,
  theme: (
    <>
      <circle cx="8" cy="8" r="5.25" />
      <path d="M8 2.75v10.5A5.25 5.25 0 0 0 8 2.75z" fill="currentColor" stroke="none" />
    </>
  ),
  thread: <path d="M3 4h10M3 8h10M3 12h6" />,
  undo: <path d="M3 6.5h6.8a3.2 3.2 0 0 1 0 6.4H7.5M5.8 3.6 3 6.5l2.8 2.9" />,
  unreachable: (
    <>
      <path d="M2.2 6.2C4 4.6 6 3.8 8 3.8s4 .8 5.8 2.4M4.6 9A5 5 0 0 1 8 7.6 5 5 0 0 1 11.4 9M2.8 13.2l10.4-10.4" />
      <circle cx="8" cy="12" r=".9" fill="currentColor" stroke="none" />
    </>
  ),
  "thumb-down": (
    <path d="M10.5 8.8 8 13.7c-1.1 0-1.8-.8-1.6-2l.3-1.9H4a1.4 1.4 0 0 1-1.4-1.7l.9-3.9a1.4 1.4 0 0 1 1.4-1.1h5.6zM10.5 8.8h2.8V3.1h-2.8" />
  ),
  "thumb-up": (
    <path d="M5.5 7.2 8 2.3c1.1 0 1.8.8 1.6 2l-.3 1.9H12a1.4 1.4 0 0 1 1.4 1.7l-.9 3.9a1.4 1.4 0 0 1-1.4 1.1H5.5zM5.5 7.2H2.7v5.7h2.8" />
  ),
  up: <path d="m4.5 9.5 3.5-3.5 3.5 3.5" />,
  waiting: (
    <>
      <path d="M8 1.9 14.1 8 8 14.1 1.9 8z" />
      <path d="M6.8 6.2v3.6M9.2 6.2v3.6" />
    </>
  ),
  warn: (
    <>
      <path d="M8 2.5 14 13H2z" />
      <path d="M8 6.6v2.8" />
      <circle cx="8" cy="11.1" r=".4" fill="currentColor" />
    </>
  ),
  web: (
    <>
      <rect x="2.25" y="3" width="11.5" height="8" rx="1.5" />
      <path d="M5.5 13.5 7 11" />
    </>
  ),
  write: <path d="M2.5 3.5v9M5 8h9M11 5l3 3-3 3" />,
} as const satisfies Record<string, ReactNode>;

export type IconName = keyof typeof ICONS;
