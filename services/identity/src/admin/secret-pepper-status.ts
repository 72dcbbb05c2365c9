import { toIso } from '@casewatch/contracts';
import { z } from 'zod';
import type { AdminContext } from './admin-context.ts';
import { command } from './command.ts';

/** The rows that depend on one pepper. */
type PepperUsage = {
  id: string;
  state: 'current' | 'former' | 'gone';
  keys: number;
  signing_keys: number;
  second_factors: number;
  sessions: number;
};

/** Shows the operator when a former pepper can be removed from SECRET_PEPPER. */
export const secretPepperStatus = command({
  words: 'secret-pepper status',
  form: '',
  options: z.strictObject({}),
  async run(ctx) {
    const now = ctx.clock.now();
    const keys = await ctx.stores.apiKeys.listLive(now);
    const pending = keys
      .filter((key) => key.pepper_id !== ctx.macs.id)
      .map((key) => ({
        id: key._id,
        partner_id: key.partner_id,
        name: key.name,
        pepper_id: key.pepper_id,
        last_used_at: toIso(key.last_used_at),
      }));
    const keyPeppers = keys.map((key) => key.pepper_id);
    const peppers = await usageByPepper(ctx, now, keyPeppers);
    const isUnused = peppers.every((pepper) => pepper.state === 'current' || isEmpty(pepper));
    return {
      json: { peppers, keys_to_carry_over: pending, nothing_on_former: isUnused },
      lines: [
        ...peppers.map(lineOf),
        ...pending.map(
          (key) =>
            `key ${key.id} of partner ${key.partner_id} (${key.name}) needs one more use; last used ${key.last_used_at ?? 'never'}`,
        ),
        isUnused
          ? 'No stored row needs a former pepper. Links in e-mails need it for up to 7 days.'
          : 'A former pepper is still needed.',
      ],
    };
  },
});

type Ids = readonly string[];

async function usageByPepper(ctx: AdminContext, now: Date, keyPeppers: Ids): Promise<PepperUsage[]> {
  const { ring, id: current } = ctx.macs;
  const counts = await ctx.stores.sessions.countByPepper(now);
  const sessions = new Map(counts.map(({ pepper_id, count }) => [pepper_id, count]));
  // The box has the same ring in the same order.
  const signingKeys = (await ctx.stores.signingKeys.sealPrefixes(now)).map(
    (prefix) => ring[ctx.box.prefixes.indexOf(prefix)]?.id ?? 'unknown',
  );
  const secondFactors = (await ctx.stores.secondFactors.sealPrefixes()).map(
    (prefix) => ring[ctx.factorBox.prefixes.indexOf(prefix)]?.id ?? 'unknown',
  );
  const inRing = new Set(ring.map(({ id }) => id));
  const stateOf = (id: string) => {
    if (id === current) return 'current';
    return inRing.has(id) ? 'former' : 'gone';
  };
  const ids = new Set([...inRing, ...keyPeppers, ...sessions.keys(), ...signingKeys, ...secondFactors]);
  return [...ids].map((id) => ({
    id,
    state: stateOf(id),
    keys: countOf(keyPeppers, id),
    signing_keys: countOf(signingKeys, id),
    second_factors: countOf(secondFactors, id),
    sessions: sessions.get(id) ?? 0,
  }));
}

function countOf(ids: Ids, wanted: string): number {
  return ids.filter((id) => id === wanted).length;
}

function isEmpty({ keys, signing_keys, second_factors, sessions }: PepperUsage): boolean {
  return keys + signing_keys + second_factors + sessions === 0;
}

function lineOf({ id, state, keys, signing_keys, second_factors, sessions }: PepperUsage): string {
  return `${id}\t${state}\tkeys ${keys}\tsigning keys ${signing_keys}\tsecond factors ${second_factors}\tsessions ${sessions}`;
}
