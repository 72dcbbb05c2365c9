import { idText, name, scope, scopes, toIso } from '@casewatch/contracts';
import { integerSetting, RefusedError } from '@casewatch/platform';
import { transaction } from '@casewatch/platform/database';
import { z } from 'zod';
import { addKey, replaceKey, revokeKey } from '../changes/change-keys.ts';
import { newKey } from '../credentials/new-key.ts';
import { type ApiKey, isLiveKey } from '../domain/api-key.ts';
import { presentKey } from '../present/key.ts';
import { command, findStaying, keyPairLines, refuseMissing } from './command.ts';

const commaSeparated = z.string().transform((text) => text.split(',').map((part) => part.trim()));
const scopeList = commaSeparated.pipe(z.array(scope).min(1).max(scopes.length));
const addressList = commaSeparated.pipe(
  z.array(z.union([z.ipv4(), z.ipv6(), z.cidrv4(), z.cidrv6()], 'must be IP addresses or CIDR ranges')),
);

export const keyCreate = command({
  words: 'key create',
  form: '--partner 1 [--name "second office"] [--scopes users:read,cases:read] [--allowed-ips 192.0.2.0/24]',
  options: z.strictObject({
    partner: idText,
    name: name.default('key'),
    scopes: scopeList.optional(),
    'allowed-ips': addressList.optional(),
  }),
  async run(ctx, { partner: partner_id, name, scopes, 'allowed-ips': allowed_ips = [] }) {
    await findStaying(ctx, partner_id);
    const key = { partner_id, name, allowed_ips, ...(scopes && { scopes }) };
    const { row, pair } = await newKey(ctx, key);
    await transaction(ctx.db, (tx) => addKey(ctx, tx, row));
    return {
      json: { key: { id: row._id, partner_id, name, ...pair } },
      lines: keyPairLines(`Key ${row._id} of partner ${partner_id} created.`, pair),
    };
  },
});

export const keyList = command({
  words: 'key list',
  form: '--partner 1',
  options: z.strictObject({ partner: idText }),
  async run(ctx, { partner }) {
    refuseMissing(await ctx.stores.partners.find(partner), 'partner', partner);
    const keys = await ctx.stores.apiKeys.listOfPartner(partner);
    const now = ctx.clock.now();
    const lines = keys.map((key) => `${key._id}\t${stateOf(key, now)}\t${key.name}\t${key.api_key}`);
    return {
      json: { keys: keys.map((key) => presentKey(key)) },
      lines: lines.length > 0 ? lines : ['This partner has no keys.'],
    };
  },
});

function stateOf(key: ApiKey, now: Date): string {
  if (key.revoked_at !== null) return 'revoked';
  if (!isLiveKey(key, now)) return 'expired';
  return key.expires_at === null ? 'live' : `live until ${toIso(key.expires_at)}`;
}

const daySeconds = 24 * 60 * 60;

export const keyRotate = command({
  words: 'key rotate',
  form: '--key 1 [--overlap-seconds 86400]',
  options: z.strictObject({
    key: idText,
    'overlap-seconds': integerSetting(0, 30 * daySeconds).default(daySeconds),
  }),
  async run(ctx, { key: id, 'overlap-seconds': overlapSeconds }) {
    const old = refuseMissing(await ctx.stores.apiKeys.find(id), 'key', id);
    if (!isLiveKey(old, ctx.clock.now())) {
      throw new RefusedError(`Key ${id} has ended; create a new one.`);
    }
    const { row: successor, pair } = await newKey(ctx, { ...old, expires_at: null });
    const replaced = await transaction(ctx.db, (tx) =>
      replaceKey(ctx, tx, { old, successor, overlapSeconds, keepFor: null }),
    );
    const end = toIso(replaced.expires_at);
    return {
      json: {
        key: { id: successor._id, partner_id: old.partner_id, name: old.name, ...pair },
        replaced_key: { id, expires_at: end },
      },
      lines: keyPairLines(`Key ${successor._id} replaces key ${id}, which ends ${end}.`, pair),
    };
  },
});

export const keyRevoke = command({
  words: 'key revoke',
  form: '--key 1',
  options: z.strictObject({ key: idText }),
  async run(ctx, { key: id }) {
    const change = { key: refuseMissing(await ctx.stores.apiKeys.find(id), 'key', id), keepFor: null };
    const key = await transaction(ctx.db, (tx) => revokeKey(ctx, tx, change));
    return {
      json: { key: { id, partner_id: key.partner_id, revoked_at: toIso(key.revoked_at) } },
      lines: [`Key ${id} of partner ${key.partner_id} is revoked.`],
    };
  },
});
