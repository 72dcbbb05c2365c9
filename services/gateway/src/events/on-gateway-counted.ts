import type { EventHandler } from '@casewatch/platform';
import type { Context } from '../context.ts';

/** Another gateway let requests in: they count here, too. */
export function onGatewayCounted({ limits }: Context): EventHandler<'gateway.counted'> {
  return async (message) => limits.receive(message);
}
