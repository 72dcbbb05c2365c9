import type { AnyEventHandler } from '@casewatch/platform';
import type { Context } from '../context.ts';

export function onRevocationsAnnounced({ revocations }: Context): AnyEventHandler<'revocations.announced'> {
  return async (announcement) => revocations.receive(announcement);
}
