import type { Request, Response } from 'express';
import { z } from 'zod';
import { ownPage } from '../../../pages/people/own-page.ts';
import type { Cookies } from '../cookies.ts';

/** `next`: where the person goes after sign-in. */
const state = z.object({ email: z.string(), request_id: z.string(), next: ownPage });

/** A sign-in that waits for its code. It stays in the browser: an address does not belong into a URL. */
export type SignInState = z.output<typeof state>;

const cookieName = 'sign-in';
/** Longer than a code is valid, s: who enters one too late is told so, and asks for another on the same way. */
const keptS = 3_600;

export function writeState(cookies: Cookies, res: Response, value: SignInState): void {
  const text = Buffer.from(JSON.stringify(value)).toString('base64url');
  cookies.set(res, cookieName, { value: text, maxAgeS: keptS });
}

/** Null without a sign-in, or with a cookie that is not ours. */
export function readState(cookies: Cookies, req: Request): SignInState | null {
  const text = cookies.read(req, cookieName);
  if (text === null) return null;
  try {
    return state.parse(JSON.parse(Buffer.from(text, 'base64url').toString('utf8')));
  } catch (error) {
    if (error instanceof SyntaxError || error instanceof z.ZodError) return null;
    throw error;
  }
}

export function clearState(cookies: Cookies, res: Response): void {
  cookies.clear(res, cookieName);
}
