import type { AnyEventHandler } from '@casewatch/platform';
import type { Context } from '../context.ts';

export function onGatewayCounted({ limits }: Context): AnyEventHandler<'gateway.counted'> {
  return async (message) => limits.receive(message);
}
