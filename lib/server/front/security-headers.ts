import { randomBytes } from "node:crypto";
import { IncomingMessage, ServerResponse } from "node:http";
import { Socket } from "node:net";
import helmet from "helmet";

/** Sets what browsers are told of an answer: that nothing of it is sniffed, framed, or told to other sites. */
type Headers = (request: IncomingMessage, response: ServerResponse) => void;

export interface SecurityHeaders {
  /** Of the API's answers, which no browser should ever run. */
  api: Headers;
  /** Of the files of a build. What a page is told besides means nothing to them, and a page loads twenty. */
  files: Headers;
  /** Of pages. */
  pages: Headers;
}

interface Circumstances {
  dev: boolean;
  /** People reach this server by HTTPS alone. */
  https: boolean;
}

/** As long as browsers keep to HTTPS, in seconds: a year. */
const HTTPS_S = 31_536_000;

/**
 * Makes them. Next puts a page's nonce on its inline scripts when it finds the policy in the request's header of the same
 * name, and the editor on its styles. Scripts of our own files need no nonce, because workers cannot carry one. Attributes may
 * have styles, because pages come from the server with them: they cannot run anything, nor be put there through text.
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
    // Workers have the policy of their script.
    contentSecurityPolicy: policy({ "default-src": SELF, "frame-ancestors": NONE }),
  });
  const nonces = new WeakMap<object, string>();
  const nonce = (_request: IncomingMessage, response: ServerResponse) => `'nonce-${nonces.get(response)}'`;
  const pages = helmet({
    ...common,
    contentSecurityPolicy: policy({
      "default-src": SELF,
      // Next's development client evaluates code, writes styles and listens on a WebSocket.
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
    // What helmet leaves to others.
    response.setHeader("permissions-policy", "camera=(), geolocation=(), microphone=(), payment=(), usb=()");
    // Whatever a client has sent by that name.
    request.headers["content-security-policy"] = String(response.getHeader("content-security-policy"));
  };
}

/** What a function of helmet sets on every answer, worked out once: it takes no request into account. */
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

/** Helmet's functions come to their ends before they return. */
function done(error?: unknown): void {
  if (error !== undefined) throw error;
}
