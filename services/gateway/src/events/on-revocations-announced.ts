import type { AnyEventHandler } from '@casewatch/platform';
import type { Context } from '../context.ts';

/** Identity says how far its revocations are. */
export function onRevocationsAnnounced({ revocations }: Context): AnyEventHandler<'revocations.announced'> {
  return async (announcement) => revocations.receive(announcement);
}
