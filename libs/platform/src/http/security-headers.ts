import { IncomingMessage, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import helmet from 'helmet';

/** Headers that forbid browsers every use of a response. Pages set their own policy. */
export const securityHeaders: Readonly<Record<string, string>> = Object.fromEntries(headersOfHelmet());

/** They do not depend on the request, so helmet runs once. */
function headersOfHelmet(): [string, string][] {
  // default-src does not cover the other three (CSP 3, "Fetch directives").
  const directives = {
    defaultSrc: ["'none'"],
    baseUri: ["'none'"],
    formAction: ["'none'"],
    frameAncestors: ["'none'"],
  };
  const req = new IncomingMessage(new Socket());
  const res = new ServerResponse(req);
  helmet({ contentSecurityPolicy: { useDefaults: false, directives } })(req, res, () => {});
  return Object.entries(res.getHeaders()).map(([name, value]) => [name, String(value)]);
}
