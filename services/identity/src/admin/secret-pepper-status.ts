import { toIso } from '@casewatch/contracts';
import { z } from 'zod';
import type { AdminContext } from './admin-context.ts';
import { command } from './command.ts';

/** What one pepper still holds up. `id` null: rows from before it was noted which pepper made them. */
type Holding = {
  id: string | null;
  state: 'current' | 'former' | 'gone' | 'not noted';
  keys: number;
  signing_keys: number;
  sessions: number;
};

/** What still hangs on which pepper of the ring, so that one knows when a former one may go; nothing secret is shown. */
export const secretPepperStatus = command({
  words: 'secret-pepper status',
  form: '',
  options: z.strictObject({}),
  async run(ctx) {
    const now = ctx.clock.now();
    const keys = await ctx.stores.apiKeys.listLive(now);
    const waiting = keys
      .filter((key) => key.pepper_id !== ctx.macs.id)
      .map((key) => ({
        id: key._id,
        partner_id: key.partner_id,
        name: key.name,
        pepper_id: key.pepper_id ?? null,
        last_used_at: toIso(key.last_used_at),
      }));
    const peppers = await holdings(ctx, { now, keyPeppers: keys.map((key) => key.pepper_id ?? null) });
    const free = peppers.every((one) => one.state === 'current' || isEmpty(one));
    return {
      json: { peppers, keys_to_carry_over: waiting, nothing_on_former: free },
      lines: [
        ...peppers.map(lineOf),
        ...waiting.map(
          (key) =>
            `key ${key.id} of partner ${key.partner_id} (${key.name}) waits for its next use; last used ${key.last_used_at ?? 'never'}`,
        ),
        free
          ? 'Nothing noted here hangs on a former pepper; links in mails do for up to 7 days.'
          : 'A former pepper is still needed.',
      ],
    };
  },
});

type Found = { now: Date; keyPeppers: readonly (string | null)[] };

async function holdings(ctx: AdminContext, { now, keyPeppers }: Found): Promise<Holding[]> {
  const { ring } = ctx.macs;
  const sessions = new Map(
    (await ctx.stores.sessions.countByPepper(now)).map(({ pepper_id, count }) => [pepper_id, count]),
  );
  // The box has the same ring in the same order; what none of its keys sealed is of a pepper that is gone.
  const signingKeys = (await ctx.stores.signingKeys.sealPrefixes(now)).map(
    (seal) => ring[ctx.box.prefixes.indexOf(seal)]?.id ?? 'unknown',
  );
  const ids = new Set([...ring.map(({ id }) => id), ...keyPeppers, ...sessions.keys(), ...signingKeys]);
  const known = new Set(ring.map(({ id }) => id));
  return [...ids].map((id) => ({
    id,
    state: stateOf(id, { current: ctx.macs.id, known }),
    keys: countOf(keyPeppers, id),
    signing_keys: countOf(signingKeys, id),
    sessions: sessions.get(id) ?? 0,
  }));
}

function stateOf(
  id: string | null,
  { current, known }: { current: string; known: ReadonlySet<string> },
): Holding['state'] {
  if (id === null) return 'not noted';
  if (id === current) return 'current';
  return known.has(id) ? 'former' : 'gone';
}

function countOf(ids: readonly (string | null)[], wanted: string | null): number {
  return ids.filter((id) => id === wanted).length;
}

function isEmpty({ keys, signing_keys, sessions }: Holding): boolean {
  return keys + signing_keys + sessions === 0;
}

function lineOf({ id, state, keys, signing_keys, sessions }: Holding): string {
  return `${id ?? '-'}\t${state}\tkeys ${keys}\tsigning keys ${signing_keys}\tsessions ${sessions}`;
}
