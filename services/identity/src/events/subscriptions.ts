import type { EventHandlers } from '@casewatch/platform';
import type { Context } from '../context.ts';
import { onContactOptedOut } from './on-contact-opted-out.ts';

/** What identity consumes. */
export function subscriptions(ctx: Context): EventHandlers {
  return { 'contact.opted_out': onContactOptedOut(ctx) };
}
