import type { EventHandler } from '@casewatch/platform';
import type { Context } from '../context.ts';

/** Identity says how far its revocations are. */
export function onRevocationsAnnounced({ revocations }: Context): EventHandler<'revocations.announced'> {
  return async (announcement) => revocations.receive(announcement);
}
