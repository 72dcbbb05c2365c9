import type { Channel } from '@casewatch/contracts';
import type { Context } from '../context.ts';
import type { SuppressedFor } from '../domain/outcome.ts';

export async function suppressAddress(
  ctx: Pick<Context, 'stores' | 'addressHashes' | 'log'>,
  channel: Channel,
  address: string,
  suppressed: SuppressedFor,
): Promise<void> {
  await ctx.stores.addressSuppressions.add(ctx.addressHashes.current(channel, address), suppressed);
  ctx.log.info({ channel, reason: suppressed.reason, days: suppressed.days }, 'address suppressed');
}
