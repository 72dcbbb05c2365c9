import { fetchUser } from '../clients/identity.ts';
import type { Context } from '../context.ts';
import { readStopWord } from '../domain/stop-word.ts';
import { optOut } from './opt-out.ts';

/** A person's WhatsApp message: STOP suppresses the number and opts its users out, START lifts the suppression. */
export async function takeReply(ctx: Context, phone: string, text: string): Promise<void> {
  const wish = readStopWord(text);
  if (wish === null) return;
  const hashes = ctx.addressHashes.all('whatsapp', phone);
  if (wish === 'start') {
    const lifted = await ctx.stores.addressSuppressions.remove(hashes, ['opt_out']);
    ctx.log.info({ channel: 'whatsapp', lifted }, 'START received');
    return;
  }
  const hash = ctx.addressHashes.current('whatsapp', phone);
  await ctx.stores.addressSuppressions.add(hash, { reason: 'opt_out', days: null });
  const userIds = await ctx.stores.recipients.usersOf(hashes);
  for (const userId of userIds)
    await optOut(ctx, { userId, channel: 'whatsapp' }, await fetchUser(ctx, userId));
  ctx.log.info({ channel: 'whatsapp', users: userIds.length }, 'STOP received');
}
