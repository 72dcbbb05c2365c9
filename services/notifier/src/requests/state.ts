import { channel } from '@casewatch/contracts';
import type { RequestHandler } from '@casewatch/platform';
import { type Context, unsentOf } from '../context.ts';
import type { DueMessages, StatusCount, Unsent } from '../store/message-counts.ts';

const dayMs = 24 * 60 * 60 * 1_000;

/** What an operator needs: queues, the messages of a day, circuits and templates. */
export function answerState(ctx: Context): RequestHandler<'notifier.state'> {
  return async () => {
    const [common, queues] = await Promise.all([ctx.serviceState(), readQueues(ctx)]);
    return {
      ...common,
      queues: queues.map(({ queue, due, unsent }) => ({
        queue,
        due: due.count,
        oldest_seconds: Math.max(0, due.oldestSeconds),
        unsent: unsent.count,
        oldest_unsent_seconds: Math.max(0, unsent.oldestSeconds),
      })),
      messages: queues.flatMap(({ queue, counts }) => counts.map((row) => ({ queue, ...row }))),
      circuits: openCircuits(ctx),
      templates: templatesOf(ctx),
    };
  };
}

async function readQueues({ stores, clock }: Context) {
  const { notifications, mails, memberMails } = stores;
  const since = new Date(clock.now().getTime() - dayMs);
  const read = async (
    queue: string,
    counting: [Promise<DueMessages>, Promise<Unsent>, Promise<StatusCount[]>],
  ) => {
    const [due, unsent, counts] = await Promise.all(counting);
    return { queue, due, unsent, counts };
  };
  return await Promise.all([
    ...channel.options.map((name) =>
      read(name, [
        notifications.countDue(name),
        notifications.unsent(name),
        notifications.countSince(name, since),
      ]),
    ),
    read('mails', [mails.countDue(), mails.unsent(), mails.countSince(since)]),
    read('member_mails', [
      memberMails.countDue(),
      unsentOf(stores, 'member_mails'),
      memberMails.countSince(since),
    ]),
  ]);
}

function openCircuits({ circuits }: Context) {
  const nowMs = performance.now();
  return [...circuits.all].flatMap(([scope, circuit]) => {
    const isClosed = circuit.admits(nowMs) === Number.POSITIVE_INFINITY;
    return isClosed ? [] : [{ scope, remaining_seconds: circuit.remainingMs(nowMs) / 1_000 }];
  });
}

function templatesOf({ whatsapp, metrics }: Context) {
  const states = metrics.templates();
  if (!whatsapp || states.length === 0) return null;
  const used = states.filter(({ sid }) => sid !== null);
  return used.map(({ template, language, isReady, finding }) => ({
    template,
    language,
    is_ready: isReady,
    finding,
  }));
}
