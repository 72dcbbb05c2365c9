import type { SendRequest } from '@casewatch/contracts';
import type { Running } from '@casewatch/platform';
import type { Context } from '../context.ts';
import { confirmationTokenOf, undoTokenOf, verificationTokenOf } from '../credentials/link-tokens.ts';
import { judgeChangeLink } from '../domain/email-change.ts';
import { toEmailLower, type User } from '../domain/user.ts';
import { mailPartnerOf } from '../present/mail-partner.ts';
import type { EmailVerification } from '../store/email-links.ts';
import { startMailLoop } from './mail-loop.ts';

export function sendChangeMails(ctx: Context): Running {
  return startMailLoop(ctx, {
    name: 'change mails',
    queue: ctx.stores.emailChangeLinks.mails,
    compose: (id) => composeChangeMail(ctx, id),
    sweepMs: ctx.config.ADDRESS_BATCH_MS,
    signal: 'changeMails',
  });
}

/** Only here the new address is looked up: if it is taken, its owner gets a mail without a link. */
async function composeChangeMail(ctx: Context, id: string): Promise<SendRequest | null> {
  const { clock, config, macs, stores } = ctx;
  const link = await stores.emailChangeLinks.find(id);
  const user = link && (await stores.users.find(link.user_id));
  if (!link || !user || judgeChangeLink(link, user, clock.now()) !== 'use') return null;
  const partner = await mailPartnerOf(ctx, user.partner_id);
  const common = { message_id: `change-${id}`, expires_at: link.expires_at.toISOString(), partner };
  const toUser = { ...common, language: user.preferred_language, user_id: user._id };
  if (link.side === 'present') {
    const url = `${config.PUBLIC_URL}/v1/users/undo-email-change?token=${undoTokenOf(link, macs)}`;
    return { ...toUser, kind: 'address_change_asked', to: link.old_email, link: url };
  }
  const owner = await stores.users.findInTenant(user.partner_id, toEmailLower(link.new_email));
  if (owner) {
    const toOwner = { to: owner.email, language: owner.preferred_language, user_id: owner._id };
    return { ...common, ...toOwner, kind: 'address_taken' };
  }
  const url = `${config.PUBLIC_URL}/v1/users/verify-email?token=${confirmationTokenOf(link, macs)}`;
  return { ...toUser, kind: 'confirm_new_address', to: link.new_email, link: url };
}

export function sendUndoMails(ctx: Context): Running {
  return startMailLoop(ctx, {
    name: 'undo mails',
    queue: ctx.stores.emailChanges.mails,
    compose: (id) => composeUndoMail(ctx, id),
    signal: 'undoMails',
  });
}

async function composeUndoMail(ctx: Context, id: string): Promise<SendRequest | null> {
  const { config, macs, stores } = ctx;
  const change = await stores.emailChanges.find(id);
  const user = change && (await stores.users.find(change.user_id));
  if (!change || !user || change.undone_at !== null || change.void_at !== null) return null;
  return {
    kind: 'address_changed',
    message_id: `undo-${id}`,
    to: change.old_email,
    language: user.preferred_language,
    expires_at: change.expires_at.toISOString(),
    link: `${config.PUBLIC_URL}/v1/users/undo-email-change?token=${undoTokenOf(change, macs)}`,
    user_id: user._id,
    partner: await mailPartnerOf(ctx, user.partner_id),
  };
}

export function sendVerificationMails(ctx: Context): Running {
  return startMailLoop(ctx, {
    name: 'verification mails',
    queue: ctx.stores.emailVerifications.mails,
    compose: (id) => composeVerification(ctx, id),
    signal: 'verificationMails',
  });
}

/** Null if the address changed or was verified since. */
async function composeVerification(ctx: Context, id: string): Promise<SendRequest | null> {
  const { stores } = ctx;
  const row = await stores.emailVerifications.find(id);
  const user = row && (await stores.users.find(row.user_id));
  if (!row || !user || row.void_at !== null) return null;
  if (user.email_lower !== row.email_lower || user.email_verified_at !== null) return null;
  return { kind: 'verify_email', message_id: `verify-${id}`, ...(await verificationMail(ctx, row, user)) };
}

/** What each mail has that asks a user to confirm the address. */
export async function verificationMail(ctx: Context, row: EmailVerification, user: User) {
  const token = verificationTokenOf(row, ctx.macs);
  return {
    to: user.email,
    language: user.preferred_language,
    expires_at: row.expires_at.toISOString(),
    link: `${ctx.config.PUBLIC_URL}/v1/users/verify-email?token=${token}`,
    user_id: user._id,
    partner: await mailPartnerOf(ctx, user.partner_id),
  };
}
