import type { EventHandler } from '@casewatch/platform';
import type { Context } from '../context.ts';

export function onGatewayCounted({ limits }: Context): EventHandler<'gateway.counted'> {
  return async (message) => limits.onCounted(message);
}
