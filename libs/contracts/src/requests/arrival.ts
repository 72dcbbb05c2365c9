import { z } from 'zod';
import { language } from '../fields.ts';

/** The token of the link in a welcome. */
const token = z.string().min(1).max(256);

/** Somebody typed an address on the front page. `address`: of the network of the caller. */
export const entryRequest = z.object({ email: z.string().max(254), language, address: z.string().max(64) });
/** The same for every e-mail address. `expires_in`: lifetime of a code, s. */
export const entryReply = z.object({ request_id: z.string(), expires_in: z.int() });

/** To look at a welcome. It changes nothing. */
export const welcomeRequest = z.object({ token });
/** Null: the link is used up, expired or forged. `has_account`: somebody has the address by now. */
export const welcomeReply = z.object({
  welcome: z.object({ email: z.string(), has_account: z.boolean() }).nullable(),
});

/** The button of a welcome: the account exists from here on. `address`: of the network of the caller. */
export const openAccountRequest = z.object({ token, language, address: z.string().max(64) });
/** A session of the new person, as `issue_token` shows it. */
export const openAccountReply = z.object({
  access_token: z.string(),
  expires_in: z.int(),
  refresh_token: z.string(),
  refresh_expires_in: z.int(),
});
