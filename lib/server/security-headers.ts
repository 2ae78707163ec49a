import { randomBytes } from "node:crypto";

/** What every answer carries: nothing is sniffed, framed, or told to other sites. */
const COMMON = {
  "x-content-type-options": "nosniff",
  "x-frame-options": "DENY",
  "referrer-policy": "same-origin",
  "cross-origin-opener-policy": "same-origin",
  "cross-origin-resource-policy": "same-origin",
  "permissions-policy": "camera=(), geolocation=(), microphone=(), payment=(), usb=()",
};

const API = { ...COMMON, "content-security-policy": "default-src 'none'; frame-ancestors 'none'" };

/** Headers for answers of the API, which no browser should ever run. */
export function apiHeaders(): Record<string, string> {
  return API;
}

const FILE = {
  "x-content-type-options": "nosniff",
  "cross-origin-resource-policy": "same-origin",
  // Workers have the policy of their script.
  "content-security-policy": "default-src 'self'",
};

/** Headers for the files of a build. What a page is told besides means nothing to them, and a page loads twenty. */
export function fileHeaders(): Record<string, string> {
  return FILE;
}

/**
 * Headers for pages. Next puts the policy's nonce on its inline scripts when it finds it in the
 * request's header of the same name. Scripts of our own files need no nonce, because workers cannot carry one;
 * styles may be inline, because React and the graph set style attributes.
 */
export function pageHeaders(dev: boolean): Record<string, string> {
  const nonce = randomBytes(16).toString("base64");
  const policy = [
    "default-src 'self'",
    // Next's development client evaluates code and listens on a WebSocket.
    `script-src 'self' 'nonce-${nonce}'${dev ? " 'unsafe-eval'" : ""}`,
    "style-src 'self' 'unsafe-inline'",
    "img-src 'self' data: blob:",
    "font-src 'self'",
    `connect-src 'self'${dev ? " ws:" : ""}`,
    "worker-src 'self' blob:",
    "object-src 'none'",
    "base-uri 'none'",
    "form-action 'self'",
    "frame-ancestors 'none'",
  ].join("; ");
  return { ...COMMON, "content-security-policy": policy };
}
