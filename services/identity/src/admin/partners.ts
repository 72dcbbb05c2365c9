import { email, idText, name, toIso } from '@casewatch/contracts';
import type { Command } from '@casewatch/platform';
import { acted, actedFor, RefusedError } from '@casewatch/platform';
import { transaction } from '@casewatch/platform/database';
import { z } from 'zod';
import { changePartner } from '../changes/change-partner.ts';
import type { KeyPair } from '../credentials/api-key.ts';
import { newKey } from '../credentials/new-key.ts';
import { nameFromEmail } from '../domain/user.ts';
import { beginDeletion, restorePartner } from '../partners/delete-partner.ts';
import type { Partner } from '../store/partners.ts';
import type { AdminContext } from './admin-context.ts';
import { command, findStaying, keyPairLines, refuseMissing } from './command.ts';
import { inviteByOperator } from './staff.ts';

const onePartner = z.strictObject({ partner: idText });

export const partnerCreate = command({
  words: 'partner create',
  form: '--name "Smith Immigration" --email office@example.com [--owner maria@example.com]',
  options: z.strictObject({ name, email, owner: email.optional() }),
  async run(ctx, { owner, ...options }) {
    const { id, keyId, pair } = await addPartner(ctx, { ...options, keyName: 'first key' }, owner);
    const invited = owner === undefined ? '' : ` The first owner is invited: ${owner}.`;
    return {
      json: { partner: { id, name: options.name, key_id: keyId, ...pair, ...(owner && { owner }) } },
      lines: keyPairLines(`Partner ${id} created, with key ${keyId}.${invited}`, pair),
    };
  },
});

type NewPartner = { name: string; email: string; keyName: string; pair?: KeyPair };

/** `owner`: the address of the first owner, who gets an invitation. */
export async function addPartner(
  ctx: AdminContext,
  { name, email, keyName, ...keyOptions }: NewPartner,
  owner?: string,
) {
  const id = await ctx.ids.next('partners');
  const ownerId = owner === undefined ? 0 : await ctx.ids.next('staff');
  const now = ctx.clock.now();
  const partner: Partner = {
    _id: id,
    name,
    email,
    status: 'active',
    logo_url: null,
    notify_unverified: false,
    case_url: null,
    reply_to: null,
    support_contact: null,
    time_zone: null,
    version: 1,
    keys_version: 1,
    created_at: now,
    updated_at: now,
  };
  const { row, pair } = await newKey(ctx, { partner_id: id, name: keyName, ...keyOptions });
  await transaction(ctx.db, async (tx) => {
    actedFor(id);
    acted('partner', id);
    await ctx.stores.partners.insert(partner, tx);
    await ctx.stores.apiKeys.insert(row, tx);
    if (owner === undefined) return;
    const first = { partner_id: id, email: owner, name: nameFromEmail(owner), role: 'owner' } as const;
    await inviteByOperator(ctx, tx, { ...first, id: ownerId });
  });
  return { id, keyId: row._id, pair };
}

export const partnerList = command({
  words: 'partner list',
  form: '',
  options: z.strictObject({}),
  async run(ctx) {
    const partners = await ctx.stores.partners.list();
    const rows = partners.map(presentPartner);
    const lines = partners.map(
      (partner) => `${partner._id}\t${stateOf(partner)}\t${partner.name}\t${partner.email}`,
    );
    return { json: { partners: rows }, lines: lines.length > 0 ? lines : ['There are no partners yet.'] };
  },
});

export const partnerShow = command({
  words: 'partner show',
  form: '<id>',
  options: onePartner,
  positionals: ['partner'],
  async run(ctx, { partner: id }) {
    const partner = refuseMissing(await ctx.stores.partners.find(id), 'partner', id);
    const { name, email, created_at } = partner;
    const [people, members] = await Promise.all([
      ctx.stores.users.countOfPartner(id),
      ctx.stores.staff.countOfPartner(id),
    ]);
    const lines = [
      `Partner ${id}: ${name} (${email}), since ${toIso(created_at)}`,
      `State: ${stateOf(partner)}`,
      `People: ${people}. Members: ${members}.`,
    ];
    return { json: { partner: { ...presentPartner(partner), people, members } }, lines };
  },
});

function presentPartner({ _id, name, email, status, created_at, deletion }: Partner) {
  const common = { id: _id, name, email, status, created_at: toIso(created_at) };
  if (!deletion) return common;
  const { requested_at, due_at } = deletion;
  return { ...common, deletion: { requested_at: toIso(requested_at), erased_at: toIso(due_at) } };
}

function stateOf({ status, deletion }: Partner): string {
  if (!deletion) return status;
  if (deletion.claimed_until) return 'is being erased';
  return `deleted on ${toIso(deletion.due_at)}`;
}

/**
 * The grace begins; with `--now` the erasure. The name is asked for, so that a wrong id deletes nobody; scripts give it as an option.
 */
export const partnerDelete = command({
  words: 'partner delete',
  form: '<id> [--name "Smith Immigration"] [--now]',
  options: onePartner.extend({ name: z.string().optional(), now: z.boolean().default(false) }),
  positionals: ['partner'],
  async run(ctx, { partner: id, name: given, now: isNow }) {
    const { name } = refuseMissing(await ctx.stores.partners.find(id), 'partner', id);
    const typed = given ?? (await ctx.ask(`Type the name of partner ${id} to delete it with all data: `));
    if (typed !== name) throw new RefusedError(`This is not the name of partner ${id}. Nothing is deleted.`);
    const dueAt = await transaction(ctx.db, async (tx) => {
      const partner = refuseMissing(await ctx.stores.partners.find(id, tx), 'partner', id);
      return await beginDeletion(ctx, tx, { partner, isNow });
    });
    const at = toIso(dueAt);
    const lines = isNow
      ? [`Partner ${id} is being erased. It is done when partner show ${id} finds no partner.`]
      : [
          `Partner ${id} will be erased on ${at}. Its owners are told by mail.`,
          `Until then: partner restore ${id}.`,
        ];
    return { json: { partner: { id, erased_at: at } }, lines };
  },
});

export const partnerRestore = command({
  words: 'partner restore',
  form: '<id>',
  options: onePartner,
  positionals: ['partner'],
  async run(ctx, { partner: id }) {
    const { status } = await transaction(ctx.db, async (tx) => {
      const partner = refuseMissing(await ctx.stores.partners.find(id, tx), 'partner', id);
      return await restorePartner(ctx, tx, partner);
    });
    return { json: { partner: { id, status } }, lines: [`Partner ${id} is ${status}.`] };
  },
});

/** Gateways refuse the partner's keys within 2 s, and deliveries to the partner wait. Its users are not affected. */
export const partnerSuspend = setStatus('partner suspend', 'suspended');

export const partnerReactivate = setStatus('partner reactivate', 'active');

function setStatus(words: string, status: Partner['status']): Command<AdminContext> {
  return command({
    words,
    form: '--partner 1',
    options: z.strictObject({ partner: idText }),
    async run(ctx, { partner: partnerId }) {
      await transaction(ctx.db, async (tx) => {
        const partner = await findStaying(ctx, partnerId, tx);
        if (partner.status !== status) await changePartner(ctx, tx, { partnerId, set: { status } });
      });
      return { json: { partner: { id: partnerId, status } }, lines: [`Partner ${partnerId} is ${status}.`] };
    },
  });
}
