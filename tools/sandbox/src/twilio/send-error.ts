import type { Response } from 'express';

/** `code` is Twilio's error code, e.g. 21211. */
export function sendError(res: Response, error: { status: number; code: number; message: string }): void {
  const { status, code, message } = error;
  res.status(status).json({ code, message, more_info: `https://www.twilio.com/docs/errors/${code}`, status });
}

/** The answer of a load balancer without a server behind it. */
export function sendHtml(res: Response, status: number): void {
  res.status(status).type('html').send('<html><body><h1>Service Unavailable</h1></body></html>');
}

/** Twilio's code for a failure of this status without a special reason. */
export function generalCode(status: number): number {
  if (status === 401) return 20003;
  if (status === 404) return 20404;
  return status === 429 ? 20429 : 20500;
}
