import type { Channel } from '@casewatch/contracts';
import { type Running, worker } from '@casewatch/platform';
import { type Context, concurrency } from '../context.ts';
import { sendMemberMail } from '../firm/send-member-mail.ts';
import type { MailRow, MailStore } from '../store/mails.ts';
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
/** Mails to staff that are sent in parallel. */
const memberPlaces = 8;
/** Pause after a mail whose questions had no answer, ms: an outage is no reason to hurry through all that waits. */
const restMs = 1_000;

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
  return sendQueue(ctx, { queue: 'mails', store: ctx.stores.mails, places: concurrency, send: sendMail });
}

/** Mails to firms' staff: a lane of their own, with the connections of status mails. */
export function sendMemberMails(ctx: Context): Running {
  const { memberMails: store } = ctx.stores;
  return sendQueue(ctx, { queue: 'member_mails', store, places: memberPlaces, send: sendMemberMail });
}

type MailQueue = {
  queue: 'mails' | 'member_mails';
  store: MailStore;
  places: number;
  /** `away`: nothing was tried, because another service does not answer. */
  send(ctx: Context, row: MailRow): Promise<unknown>;
};

function sendQueue(ctx: Context, { queue, store, places, send }: MailQueue): Running {
  let restsUntil = 0;
  return worker({
    log: ctx.log,
    name: queue,
    concurrency: places,
    sweepMs,
    idleSweepMs,
    async claim() {
      if (performance.now() < restsUntil) return null;
      const circuit = ctx.circuits.of(queue);
      if (circuit.admits(performance.now()) === 0) {
        ctx.alarms.set(queue, circuit.remainingMs(performance.now()));
        return null;
      }
      const mail = await store.claim(sendLeaseMs(ctx.config));
      if (mail) circuit.started(performance.now());
      return mail;
    },
    async handle(row) {
      if ((await send(ctx, row)) === 'away') restsUntil = performance.now() + restMs;
    },
    wakeOn: (wake) => ctx.signals.on(queue, wake),
  });
}
