import type { Channel } from '@casewatch/contracts';
import { createBatch } from '@casewatch/platform';
import { type Change, changeNotifications } from '../changes/change-notification.ts';
import { suppressAddress } from '../changes/suppress-address.ts';
import type { Context } from '../context.ts';
import { afterAttempt } from '../domain/after-attempt.ts';
import type { Outcome } from '../domain/outcome.ts';
import { triesOf } from '../domain/retry-delay.ts';
import { addressOf } from '../domain/skip-reason.ts';
import type { ClaimedMessage } from './claimed-message.ts';
import { retryWrite } from './retry-write.ts';

export type Result = {
  readonly message: ClaimedMessage;
  readonly outcome: Outcome;
  readonly template: string;
};

/** Outcomes that come while others are stored are stored together; their places in the queue are free already. */
const batches = { size: 100 };
/** Mails end one after the other, and their rows have a note (ADR 0047): a pause in ms costs no double and saves transactions. */
const mailBatches = { size: 100, waitMs: 100 };

export type Settler = { settle(result: Result): Promise<void> };

/** Stores outcomes in bulk, and then releases their recipients. */
export function createSettler(ctx: Context, channel: Channel): Settler {
  const storeTogether = createBatch(
    (results: readonly Result[]) => store(ctx, results),
    channel === 'email' ? mailBatches : batches,
  );
  return {
    async settle(result) {
      await storeTogether(result);
    },
  };
}

async function store(ctx: Context, results: readonly Result[]): Promise<null[]> {
  const claimedAt = Math.min(...results.map(({ message }) => message.claim.claimedAt));
  for (const { message, outcome } of results) await suppressAfter(ctx, message, outcome);
  const changes = results.flatMap((result) => changesAfter(ctx, result));
  const changed = await retryWrite(ctx, claimedAt, async () => {
    for (const { message, outcome } of results) {
      if (message.digest !== null && outcome.kind === 'accepted' && outcome.provider_message_id !== null)
        await ctx.stores.digests.setProviderId(message.digest, outcome.provider_message_id);
    }
    return await changeNotifications(ctx, changes);
  });
  for (const { row, change } of changes)
    if (change.dueInMs !== null) ctx.alarms.set(row.channel, change.dueInMs);
  if (changed.length < changes.length) {
    const ignored = changes.length - changed.length;
    ctx.log.debug({ notifications: ignored }, 'send results ignored: callbacks settled the notifications');
  }
  await ctx.stores.recipients.releaseAll(results.flatMap((result) => released(ctx, result)));
  return results.map(() => null);
}

async function suppressAfter(
  ctx: Context,
  { channel, user }: ClaimedMessage,
  outcome: Outcome,
): Promise<void> {
  const address = addressOf(user, channel);
  if (outcome.kind !== 'permanent' || !outcome.suppresses || address === null) return;
  await suppressAddress(ctx, channel, address, outcome.suppresses).catch((error: unknown) => {
    ctx.log.warn({ channel, err: error }, 'address not suppressed; the next message will be refused too');
  });
}

/** Each member has its own number of attempts. */
function changesAfter(ctx: Context, { message, outcome, template }: Result): Change[] {
  const now = ctx.clock.now();
  const draw = { scale: ctx.config.NOTIFY_RETRY_SCALE, random: ctx.random() };
  return message.rows.map((row) => {
    const { attempts } = row;
    const attempt = { channel: message.channel, attempts, tries: triesOf(row), now, ...draw };
    const { provider_message_id: providerId, ...change } = afterAttempt(outcome, attempt);
    const ids =
      providerId === undefined || message.digest !== null ? {} : { provider_message_id: providerId };
    return { row, change: { ...change, ...ids, template } };
  });
}

/** The recipient, if this was the last of its messages. */
function released(ctx: Context, { message, outcome }: Result) {
  const { user, channel, claim } = message;
  claim.open -= 1;
  if (outcome.kind === 'accepted' || outcome.kind === 'ambiguous') claim.accepted += 1;
  if (claim.open > 0) return [];
  const address = ctx.addressHashes.current(channel, addressOf(user, channel) ?? '');
  return [{ userId: user.id, channel, claim: claim.token, messages: claim.accepted, address }];
}
