import type { Context } from '../context.ts';
import { endMessages } from './end-messages.ts';

/** A person's WhatsApp message: STOP suppresses the number and opts its users out, START lifts the suppression. */
export async function takeReply(ctx: Context, phone: string, wish: 'stop' | 'start'): Promise<void> {
  if (wish === 'start') {
    const hashes = ctx.addressHashes.all('whatsapp', phone);
    const lifted = await ctx.stores.addressSuppressions.remove(hashes, ['opt_out']);
    ctx.log.info({ channel: 'whatsapp', lifted }, 'START received');
    return;
  }
  const users = await endMessages(ctx, 'whatsapp', phone);
  ctx.log.info({ channel: 'whatsapp', users }, 'STOP received');
}
