import { z } from 'zod';
import { isoTime } from '../fields.ts';
import { partnerPrincipal } from '../principal.ts';

/** The token of a console link or of a console session. */
const token = z.string().min(1).max(256);

/** `token` opens the console until `expires_at`; after `renew_at` the gateway replaces it. */
export const consoleSessionReply = z.object({
  token,
  principal: partnerPrincipal,
  session_id: z.string(),
  actor: z.string(),
  partner_name: z.string(),
  partner_logo_url: z.string().nullable(),
  read_only: z.boolean(),
  renew_at: isoTime,
  expires_at: isoTime,
});

/** Uses up a console link. */
export const openConsoleRequest = z.object({ link_token: token });

/** Whose console an unused link opens, for the page with its button; null if the link cannot be used. */
export const consoleLinkReply = z.object({
  link: z.object({ partner_name: z.string(), actor: z.string(), read_only: z.boolean() }).nullable(),
});

/** To find, renew or end a session. A renewed token works for 30 more seconds. */
export const consoleSessionRequest = z.object({ token });

export const endConsoleReply = z.object({ ended: z.boolean() });

export type ConsoleSessionReply = z.infer<typeof consoleSessionReply>;
