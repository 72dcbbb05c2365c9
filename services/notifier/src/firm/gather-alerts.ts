import { randomUUID } from 'node:crypto';
import { type Running, worker } from '@casewatch/platform';
import { databaseTime, retryOnDuplicate, type Session, transaction } from '@casewatch/platform/database';
import { newMail } from '../changes/new-mail.ts';
import type { Context } from '../context.ts';
import { maxOfMail, type Reader } from '../store/alerts.ts';
import { lifetimeMs } from './member-mail.ts';

/** A mail that waits takes no part in a newer one after this time, so that its alerts end. */
const joinsForMs = 24 * 60 * 60 * 1_000;
/** Time until alerts that could not be gathered are tried again, ms. Meanwhile they are in nobody's way. */
const failedMs = 5_000;
const sweepMs = 300;
const idleSweepMs = 5_000;

/**
 * Makes mails of alerts: the first one to a reader goes immediately, what follows within the window joins in one mail. One transaction
 * fixes what a mail tells, so nothing is in two.
 */
export function gatherAlerts(ctx: Context): Running {
  return worker<Reader[]>({
    log: ctx.log,
    name: 'alerts',
    concurrency: 1,
    sweepMs,
    idleSweepMs,
    async claim() {
      const readers = await ctx.stores.alerts.dueReaders();
      return readers.length === 0 ? null : readers;
    },
    async handle(readers) {
      const failed: Reader[] = [];
      for (const reader of readers)
        await gather(ctx, reader).catch((error: unknown) => {
          ctx.log.error({ ...reader, err: error }, 'alerts not gathered; they are tried again');
          failed.push(reader);
        });
      if (failed.length === 0) return;
      const until = new Date((await databaseTime(ctx.db)).getTime() + failedMs);
      for (const reader of failed) await ctx.stores.alerts.postpone(reader, until);
    },
    wakeOn: (wake) => ctx.signals.on('alerts', wake),
  });
}

async function gather(ctx: Context, reader: Reader): Promise<void> {
  const mailId = randomUUID().replaceAll('-', '');
  const windowMs = ctx.config.NOTIFY_DIGEST_WINDOW_S * 1_000;
  const alerts = await retryOnDuplicate(() =>
    transaction(ctx.db, async (session) => {
      const turn = await ctx.stores.alertTurns.take(session, { reader, mailId, windowMs });
      if (!turn.isFree) return turn.until;
      const count = await ctx.stores.alerts.take(session, reader, mailId);
      // Another replica has taken them: the turn is not used up.
      if (count === 0) await session.abortTransaction();
      else await insertMail(ctx, session, { reader, mailId, count });
      return count;
    }),
  );
  if (alerts instanceof Date) await ctx.stores.alerts.postpone(reader, alerts);
  if (alerts instanceof Date || alerts === 0) return;
  ctx.log.debug({ mail: mailId, staff_id: reader.staff_id, alerts }, 'alerts gathered in a mail');
  ctx.signals.emit('member_mails');
}

/** `count`: alerts that are in the mail already. */
type Gathered = { reader: Reader; mailId: string; count: number };

async function insertMail(
  ctx: Context,
  session: Session,
  { reader, mailId, count }: Gathered,
): Promise<void> {
  await takeAlong(ctx, session, { reader, mailId, count });
  await takeEarlier(ctx, session, reader, mailId);
  const { partner_id, staff_id } = reader;
  const content = { kind: 'member_alerts', message_id: mailId, partner_id, staff_id } as const;
  const expiresAt = new Date(ctx.clock.now().getTime() + lifetimeMs);
  await ctx.stores.memberMails.insert(newMail(ctx, { content, expiresAt, partner_id, staff_id }), session);
}

/**
 * What waits for another attempt goes with what is new, as far as one mail holds it, unless a server may have accepted it: then it stays
 * as it is.
 */
async function takeAlong(
  { stores }: Context,
  session: Session,
  { reader, mailId, count }: Gathered,
): Promise<void> {
  const waiting = await stores.memberMails.waitingOf(session, { kind: 'member_alerts', ...reader });
  if (waiting.length === 0) return;
  const joining: string[] = [];
  let sum = count;
  for (const mail of await stores.alerts.mailsYoungerThan(session, waiting, joinsForMs)) {
    if (sum + mail.count > maxOfMail) continue;
    sum += mail.count;
    joining.push(mail.mailId);
  }
  await stores.memberMails.deleteAll(session, joining);
  await stores.alerts.moveTo(session, mailId, joining);
}

/** Earlier changes of the same cases that wait for the morning: they come no later than what comes at night. */
async function takeEarlier(
  { stores }: Context,
  session: Session,
  reader: Reader,
  mailId: string,
): Promise<void> {
  const heldMails = await stores.memberMails.heldOf(session, { kind: 'member_alerts', ...reader });
  const from = await stores.alerts.takeEarlier(session, reader, { mailId, heldMails });
  await stores.memberMails.touch(session, from);
}
