import type { FirmMember, FirmReply } from '@casewatch/contracts';
import { every, type Running } from '@casewatch/platform';
import { databaseTime } from '@casewatch/platform/database';
import { newMail } from '../changes/new-mail.ts';
import type { Context } from '../context.ts';
import { fetchFirm, isAway } from './ask-firm.ts';
import { type DigestDay, digestId, dueDigest } from './digest-day.ts';
import { eraseRemoved } from './erase-firm.ts';

const intervalMs = 20_000;
/** Members and their settings are asked for again after this time, ms. A mail asks for them anew in any case. */
const knownMs = 5 * 60_000;
/** Partners of one answer of cases (`maxFirms`): fewer mean that there are no more. */
const pageSize = 200;

/** What this process knows: members of firms, and the last day of each member for which a row is stored. */
type Known = {
  firms: Map<number, { reply: FirmReply; until: number }>;
  stored: Map<number, string>;
};

/**
 * Stores the digest of each member, once a day from the member's time on. The row has only ids: what it says is asked for when it is sent, so
 * a service that was away sends it when it is back on the same day.
 */
export function planDigests(ctx: Context): Running {
  const known: Known = { firms: new Map(), stored: new Map() };
  return every(
    intervalMs,
    (signal) => plan(ctx, known, signal),
    (error) => ctx.log.info({ err: error }, 'digests not planned; trying again'),
  );
}

async function plan(ctx: Context, known: Known, signal: AbortSignal): Promise<void> {
  for (let after = 0; !signal.aborted; ) {
    const { partner_ids } = await ctx.bus.request('cases.firms', { after });
    for (const partnerId of partner_ids) {
      if (signal.aborted) return;
      await planFirm(ctx, known, partnerId);
    }
    if (partner_ids.length < pageSize) return;
    after = partner_ids.at(-1) ?? after;
  }
}

async function planFirm(ctx: Context, known: Known, partnerId: number): Promise<void> {
  const { firm, members } = await readFirm(ctx, known, partnerId);
  if (firm === null || members.length === 0) return;
  const now = await databaseTime(ctx.db);
  const due = members.flatMap((member) => {
    if (isAway(member, now)) return [];
    const zone = member.time_zone ?? firm.time_zone ?? ctx.config.NOTIFY_TIME_ZONE;
    const digest = dueDigest(member.alerts, now, zone);
    return digest === null || known.stored.get(member.id) === digest.day ? [] : [{ member, digest }];
  });
  if (due.length === 0) return;
  for (const one of due) {
    await insert(ctx, partnerId, one);
    known.stored.set(one.member.id, one.digest.day);
  }
  const memberIds = due.map(({ member }) => member.id);
  await eraseRemoved(ctx, { partnerId, memberIds });
  ctx.signals.emit('member_mails');
}

async function readFirm(ctx: Context, { firms }: Known, partnerId: number): Promise<FirmReply> {
  const before = firms.get(partnerId);
  const now = performance.now();
  if (before && before.until > now) return before.reply;
  const reply = await fetchFirm(ctx.bus, partnerId);
  firms.set(partnerId, { reply, until: now + knownMs });
  return reply;
}

type Due = { member: FirmMember; digest: DigestDay };

async function insert(ctx: Context, partner_id: number, { member, digest }: Due): Promise<void> {
  const { day, until: expiresAt } = digest;
  const [staff_id, message_id] = [member.id, digestId(member.id, day)];
  const content = { kind: 'member_digest', message_id, partner_id, staff_id, day } as const;
  const isNew = await ctx.stores.memberMails.insert(
    newMail(ctx, { content, expiresAt, partner_id, staff_id }),
  );
  if (isNew) ctx.log.debug({ mail: message_id }, 'digest stored');
}
