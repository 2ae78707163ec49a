import { randomBytes } from "node:crypto";
import { IncomingMessage, ServerResponse } from "node:http";
import { Socket } from "node:net";
import helmet from "helmet";

/** Sets security headers: against MIME sniffing, framing, and referrers to other sites. */
type Headers = (request: IncomingMessage, response: ServerResponse) => void;

export interface SecurityHeaders {
  /** For API responses, which browsers must never execute. */
  api: Headers;
  /** For files of a build, which need no other headers; a page loads twenty. */
  files: Headers;
  /** For pages. */
  pages: Headers;
}

interface Circumstances {
  dev: boolean;
  /** The server is only reached by HTTPS. */
  https: boolean;
}

/** The max-age of HSTS, in seconds: a year. */
const HTTPS_S = 31_536_000;

/**
 * Creates the headers. Next adds the nonce to inline scripts if the request has the policy in a header of the same
 * name; the editor adds it to its styles. Our script files need no nonce, because workers cannot have one. Style
 * attributes are allowed, because server-rendered pages contain them: they cannot execute anything, nor be injected
 * through text.
 */
export function createSecurityHeaders({ dev, https }: Circumstances): SecurityHeaders {
  const common = {
    strictTransportSecurity: https && { maxAge: HTTPS_S, includeSubDomains: false },
    xFrameOptions: { action: "deny" as const },
    referrerPolicy: { policy: "same-origin" as const },
  };
  const api = helmet({ ...common, contentSecurityPolicy: policy({ "default-src": NONE, "frame-ancestors": NONE }) });
  const files = helmet({
    ...{ ...common, xFrameOptions: false, referrerPolicy: false, crossOriginOpenerPolicy: false },
    ...{ originAgentCluster: false, xDnsPrefetchControl: false, xDownloadOptions: false, xXssProtection: false },
    ...{ xPermittedCrossDomainPolicies: false },
    // Workers inherit the policy of their script.
    contentSecurityPolicy: policy({ "default-src": SELF, "frame-ancestors": NONE }),
  });
  const nonces = new WeakMap<object, string>();
  const nonce = (_request: IncomingMessage, response: ServerResponse) => `'nonce-${nonces.get(response)}'`;
  const pages = helmet({
    ...common,
    contentSecurityPolicy: policy({
      "default-src": SELF,
      // Next's development client uses eval, inline styles and a WebSocket.
      "script-src": [...SELF, nonce, ...(dev ? ["'unsafe-eval'"] : [])],
      "script-src-attr": NONE,
      "style-src": [...SELF, ...(dev ? ["'unsafe-inline'"] : [nonce])],
      "style-src-attr": ["'unsafe-inline'"],
      "img-src": [...SELF, "data:", "blob:"],
      "font-src": SELF,
      "connect-src": [...SELF, ...(dev ? ["ws:"] : [])],
      "worker-src": [...SELF, "blob:"],
      "object-src": NONE,
      "base-uri": NONE,
      "form-action": SELF,
      "frame-ancestors": NONE,
    }),
  });
  return {
    api: headers(always(api)),
    files: (request, response) => files(request, response, done),
    pages: headers((request, response, next) => {
      nonces.set(response, randomBytes(16).toString("base64"));
      pages(request, response, next);
    }),
  };
}

type Helmet = ReturnType<typeof helmet>;

function headers(set: Helmet): Headers {
  return (request, response) => {
    set(request, response, done);
    // Headers that helmet does not set.
    response.setHeader("permissions-policy", "camera=(), geolocation=(), microphone=(), payment=(), usb=()");
    // Overwrites a client's header of this name.
    request.headers["content-security-policy"] = String(response.getHeader("content-security-policy"));
  };
}

/** The constant headers of a helmet function, computed once: they do not depend on the request. */
function always(set: Helmet): Helmet {
  const sample = new ServerResponse(new IncomingMessage(new Socket()));
  set(sample.req, sample, done);
  const told = new Map(Object.entries(sample.getHeaders()).map(([name, value]) => [name, String(value)]));
  return (_request, response, next) => {
    response.setHeaders(told);
    next();
  };
}

const NONE = ["'none'"];
const SELF = ["'self'"];

type Directives = Record<
  string,
  readonly (string | ((request: IncomingMessage, response: ServerResponse) => string))[]
>;

function policy(directives: Directives) {
  return { useDefaults: false as const, directives };
}

/** Helmet's functions call back synchronously. */
function done(error?: unknown): void {
  if (error !== undefined) throw error;
}
