import { email, idText, name, toIso } from '@casewatch/contracts';
import type { Command } from '@casewatch/platform';
import { acted, actedFor } from '@casewatch/platform';
import { transaction } from '@casewatch/platform/database';
import { z } from 'zod';
import { changePartner } from '../changes/change-partner.ts';
import type { KeyPair } from '../credentials/api-key.ts';
import { newKey } from '../credentials/new-key.ts';
import { nameFromEmail } from '../domain/user.ts';
import type { Partner } from '../store/partners.ts';
import type { AdminContext } from './admin-context.ts';
import { command, keyPairLines, refuseMissing } from './command.ts';
import { inviteByOperator } from './staff.ts';

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
    const rows = partners.map(({ _id, name, email, status, created_at }) => ({
      id: _id,
      name,
      email,
      status,
      created_at: toIso(created_at),
    }));
    const lines = rows.map((row) => `${row.id}\t${row.status}\t${row.name}\t${row.email}`);
    return { json: { partners: rows }, lines: lines.length > 0 ? lines : ['There are no partners yet.'] };
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
        const partner = refuseMissing(await ctx.stores.partners.find(partnerId, tx), 'partner', partnerId);
        if (partner.status !== status) await changePartner(ctx, tx, { partnerId, set: { status } });
      });
      return { json: { partner: { id: partnerId, status } }, lines: [`Partner ${partnerId} is ${status}.`] };
    },
  });
}
