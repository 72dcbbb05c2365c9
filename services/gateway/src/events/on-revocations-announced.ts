import type { EventHandler } from '@casewatch/platform';
import type { Context } from '../context.ts';

export function onRevocationsAnnounced({ revocations }: Context): EventHandler<'revocations.announced'> {
  return async (announcement) => revocations.onAnnounced(announcement);
}
