import type { Request, Response } from 'express';
import type { Context } from '../context.ts';
import { createCookies } from '../http/pages/cookies.ts';
import { returnPathOf } from '../pages/console/recent-sign-in.ts';

// A page that asks for a new sign-in gets its reader back. A sign-in has two or three pages, so the way back is in a cookie; it is one of
// a few paths of ours, never an address that somebody else has chosen.

const cookie = 'staff-sign-in-return';
/** As long as a code works, and some minutes to ask for it, seconds. */
const maxAgeS = 15 * 60;

/** Keeps the way back that the address of the sign-in names. A sign-in that names none leads to the first page. */
export function keepReturn(ctx: Context, req: Request, res: Response): void {
  const cookies = createCookies(ctx.config.PUBLIC_URL);
  const path = returnPathOf(req.query.to);
  if (path !== null) cookies.set(res, cookie, { value: path, maxAgeS });
  else if (cookies.read(req, cookie) !== null) cookies.clear(res, cookie);
}

/** Where a sign-in that is done leads. */
export function takeReturn(ctx: Context, req: Request, res: Response): string {
  const cookies = createCookies(ctx.config.PUBLIC_URL);
  const kept = cookies.read(req, cookie);
  if (kept !== null) cookies.clear(res, cookie);
  return returnPathOf(kept) ?? '/console';
}
