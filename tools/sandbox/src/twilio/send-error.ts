import type { Response } from 'express';

/** Twilio's error answer. @param code Twilio's own code, e.g. 21211 */
export function sendError(res: Response, error: { status: number; code: number; message: string }): void {
  const { status, code, message } = error;
  res.status(status).json({ code, message, more_info: `https://www.twilio.com/docs/errors/${code}`, status });
}

/** What a load balancer in front of Twilio answers when nothing is behind it. */
export function sendHtml(res: Response, status: number): void {
  res.status(status).type('html').send('<html><body><h1>Service Unavailable</h1></body></html>');
}

/** The code Twilio gives when a request fails with this status for a general reason. */
export function generalCode(status: number): number {
  if (status === 401) return 20003;
  if (status === 404) return 20404;
  return status === 429 ? 20429 : 20500;
}
