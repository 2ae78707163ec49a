/** Spellings that other programs may resolve to `path`: each is a 400, for any caller and method. */
export const REFUSED: readonly ((path: string) => string)[] = [
  (path) => `/api/..${path}`,
  (path) => `/v1/..${path}`,
  (path) => `/api/x/../..${path}`,
  (path) => `/.${path}`,
  (path) => `/api/%2e%2e${path}`,
  (path) => `/api/.%2E${path}`,
  (path) => `/api/%2e.${path}`,
  (path) => `/api/%252e%252e${path}`,
  (path) => `/api/..;${path}`,
  (path) => `/api/..;x=1${path}`,
  (path) => `/sign-in/..${path}`,
  (path) => `/icon.svg/..${path}`,
  (path) => `/_next/static/../..${path}`,
  (path) => `/_next/static/..%2f..${path.replaceAll("/", "%2f")}`,
  (path) => `/conversations/x%2f..%2f..${path}`,
  (path) => `/api\\..${path}`,
  (path) => path.replaceAll("/", "\\"),
  (path) => `/api/..%5c..${path}`,
  (path) => `/${path}`,
  (path) => `/api//..${path}`,
  (path) => `${path.replace(/^\/[^/]+/, "$&/")}//x`,
  (path) => `/sign-in#${path}`,
  (path) => `/api#/..${path}`,
  (path) => `${path}#`,
  (path) => `${path}%00`,
  (path) => `${path}%0d%0aX:1`,
  (path) => `${path}%c2%85`,
  (path) => `${path}\u00e9`,
  (path) => `${path}%c0%ae`,
  (path) => `${path}%`,
  (path) => `http://127.0.0.1${path}`,
  (path) => `/sign-in%2f..${path}`,
];

/** Spellings that lead to the same path or to none: they give no access beyond the path's. */
export const ALIKE: readonly ((path: string) => string)[] = [
  (path) => path,
  (path) => `${path}/`,
  (path) => path.replace(/[a-z]/, (letter) => `%${letter.charCodeAt(0).toString(16)}`),
  (path) => path.toUpperCase(),
  (path) => `${path};x`,
  (path) => `${path}?_rsc=1`,
  (path) => `${path}?/../sign-in`,
  (path) => `${path}.rsc`,
  (path) => `${path}.txt`,
  (path) => `${path}.segments/_tree.segment.rsc`,
  (path) => `${path}/page`,
  (path) => `${path}/index`,
  (path) => `/_next/data/build${path}.json`,
  (path) => `/_next/image?url=${encodeURIComponent(path)}%0a&w=640&q=75`,
  (path) => `/en${path}`,
];

const CLAIM = encodeURIComponent(
  JSON.stringify({ caller: { kind: "person", id: "1", name: "admin", role: "admin" }, address: "", request_id: "" }),
);
const TREE = encodeURIComponent(
  JSON.stringify([
    "",
    { children: ["admin", { children: ["audit", { children: ["__PAGE__", {}] }] }] },
    null,
    "refetch",
  ]),
);

/** Headers that might forge a caller or a path. */
export const HEADERS: readonly (readonly [string, string])[][] = [
  [["x-obelus-requester", CLAIM]],
  [
    ["X-Obelus-Requester", CLAIM],
    ["x-obelus-requester", CLAIM],
  ],
  [["connection", "close, x-obelus-requester"]],
  [["x-middleware-subrequest", Array(6).fill("middleware").join(":")]],
  [["x-middleware-rewrite", "/admin/audit"]],
  [["x-middleware-prefetch", "1"]],
  [
    ["x-middleware-override-headers", "x-obelus-requester"],
    ["x-middleware-request-x-obelus-requester", CLAIM],
  ],
  [
    ["x-invoke-path", "/admin/audit"],
    ["x-invoke-output", "/admin/audit"],
    ["x-invoke-status", "200"],
  ],
  [
    ["x-matched-path", "/admin/audit"],
    ["x-now-route-matches", "1=audit"],
  ],
  [["x-nextjs-data", "1"]],
  [["x-prerender-revalidate", "1"]],
  [["next-resume", "1"]],
  [["next-action", "0".repeat(42)]],
  [["next-url", "/admin/audit"]],
  [
    ["x-original-url", "/sign-in"],
    ["x-rewrite-url", "/sign-in"],
  ],
  [
    ["x-forwarded-for", "127.0.0.1"],
    ["x-forwarded-host", "127.0.0.1"],
    ["x-forwarded-prefix", "/api"],
  ],
  [["rsc", "1"]],
  [
    ["rsc", "1"],
    ["next-router-state-tree", TREE],
  ],
  [
    ["rsc", "1"],
    ["next-router-prefetch", "1"],
    ["next-router-segment-prefetch", "/_full"],
  ],
  [["x-http-method-override", "GET"]],
  [["authorization", "Basic YWRtaW46YWRtaW4="]],
  [["cookie", "obelus-sign-in=x.y; __prerender_bypass=1; __next_preview_data=1"]],
];
