import type { Channel } from '@casewatch/contracts';
import { type Running, worker } from '@casewatch/platform';
import { type Context, concurrency } from '../context.ts';
import { createClaims } from './claim-messages.ts';
import type { ClaimedMessage } from './claimed-message.ts';
import { sendLeaseMs } from './retry-write.ts';
import { sendMail } from './send-mail.ts';
import { sendMessage } from './send-message.ts';
import { createSettler, type Result } from './settler.ts';

/** Interval of looking for due messages without a signal, ms. */
const sweepMs = 300;
/** The same after half a minute without a message: then only the work of a replica that died comes without a signal. */
const idleSweepMs = 5_000;

/** Sends the status messages of a channel. Batches are claimed when half of the places are free. */
export function sendNotifications(channel: Channel) {
  return (ctx: Context): Running => {
    const claims = createClaims(ctx, channel);
    const settler = createSettler(ctx, channel);
    let inProgress = 0;

    async function submit(message: ClaimedMessage): Promise<Result> {
      try {
        return await sendMessage(ctx, message);
      } finally {
        inProgress -= 1;
        ctx.signals.emit(channel);
      }
    }

    async function send(message: ClaimedMessage): Promise<void> {
      try {
        await settler.settle(await submit(message));
      } catch (error) {
        // The claim of the recipient ends by itself.
        message.claim.open -= 1;
        throw error;
      } finally {
        if (message.claim.open <= 0) claims.forget(message.user.id);
        ctx.signals.emit(channel);
      }
    }

    return worker<ClaimedMessage[]>({
      log: ctx.log,
      name: channel,
      concurrency,
      sweepMs,
      idleSweepMs,
      async claim() {
        const free = concurrency - inProgress;
        if (free < concurrency / 2) return null;
        const circuit = ctx.circuits.of(channel);
        const admitted = circuit.admits(performance.now());
        if (admitted === 0) {
          ctx.alarms.set(channel, circuit.remainingMs(performance.now()));
          return null;
        }
        const messages = await claims.claim(Math.min(free, admitted));
        if (messages.length > 0) circuit.started(performance.now());
        inProgress += messages.length;
        return messages.length === 0 ? null : messages;
      },
      async handle(messages) {
        const results = await Promise.allSettled(messages.map(send));
        for (const result of results) if (result.status === 'rejected') throw result.reason;
      },
      wakeOn: (wake) => ctx.signals.on(channel, wake),
    });
  };
}

export function sendMails(ctx: Context): Running {
  return worker({
    log: ctx.log,
    name: 'mails',
    concurrency,
    sweepMs,
    idleSweepMs,
    async claim() {
      const circuit = ctx.circuits.of('mails');
      if (circuit.admits(performance.now()) === 0) {
        ctx.alarms.set('mails', circuit.remainingMs(performance.now()));
        return null;
      }
      const mail = await ctx.stores.mails.claim(sendLeaseMs(ctx.config));
      if (mail) circuit.started(performance.now());
      return mail;
    },
    handle: (row) => sendMail(ctx, row),
    wakeOn: (wake) => ctx.signals.on('mails', wake),
  });
}
