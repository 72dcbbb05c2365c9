import { isDeepStrictEqual } from 'node:util';
import { identityAdmin } from '../../kit/identity-admin.ts';
import { until } from '../../kit/wait.ts';
import type { Check } from '../check.ts';
import { everydayRequests, printFailures, startEverydayLoad, summaryOf } from '../everyday-load.ts';
import { createFixtures, type Fixtures } from '../rotations/fixtures.ts';
import { freshSecrets, replaced } from '../rotations/fresh-secrets.ts';
import { readSettings } from '../rotations/live-settings.ts';
import { rotate } from '../rotations/rotate.ts';
import { lastingRate } from '../settings.ts';

export const rotations: Check = {
  name: 'rotations',
  promise:
    'every kind of secret replaced, and put back, under load: 0 failed requests, everything from before still works',
  async run({ settings, reached, say }) {
    const system = await reached();
    const { dev } = system;
    // Before the fixtures: their lists must have a second page.
    const requests = await everydayRequests(system);
    const fixtures = await createFixtures(system);
    const load = startEverydayLoad(requests, { rate: lastingRate(settings), say });
    const faults: string[] = [];
    const check = async (when: string) => {
      await fixtures.change();
      faults.push(...(await fixtures.faults()).map((fault) => `${when}: ${fault}`));
    };
    const onSecondStep = async () => {
      await check('second step');
      await rotateSigningKey(fixtures);
      return await ringsKept([dev.partner.id, dev.other_partner.id], fixtures);
    };
    try {
      await check('before');
      const before = await readSettings(replaced);
      const fresh = freshSecrets(before);
      const common = { say: load.tell, onSecondStep };
      const now = await rotate({ from: before, to: fresh, restartsLast: true, ...common });
      await check('with the new secrets alone');
      // The pods keep both sets until their next start; the overlay's secrets open everything since the second step.
      const rotatedBack = await rotate({ from: now, to: before, restartsLast: false, ...common });
      await check('with the former secrets again');
      if (!isDeepStrictEqual(rotatedBack, before))
        faults.push('the former secrets could not be put back alone');
      const totals = await load.stop();
      printFailures(totals, say);
      const pepper = isDeepStrictEqual(now, fresh) ? '' : '; the former pepper kept for unused keys';
      return {
        ok: totals.failures.length === 0 && faults.length === 0,
        measured: `two rotations, ${summaryOf(totals)}, ${faults.length} faults${faults.map((fault) => `; ${fault}`).join('')}${pepper}`,
      };
    } finally {
      await load.stop();
      await fixtures.leave();
    }
  },
};

async function rotateSigningKey({ session }: Fixtures): Promise<void> {
  const words = ['signing-key', 'rotate', '--lead-seconds', '10'];
  const { signing_key } = await identityAdmin<{ signing_key: { kid: string } }>(words);
  await until(
    async () => {
      await session.refresh();
      return session.kid() === signing_key.kid;
    },
    { what: 'a token of the new key', timeoutMs: 60_000, intervalMs: 3_000 },
  );
}

/** Waits until the used keys of these partners have the current pepper. @returns the rings that other keys still need */
async function ringsKept(partnerIds: readonly number[], fixtures: Fixtures): Promise<readonly string[]> {
  type PepperStatus = { keys_to_carry_over: { partner_id: number }[] };
  await fixtures.renew();
  const faults = await fixtures.faults(); // uses both partners' keys
  if (faults.length > 0) throw new Error(faults.join('; '));
  const { left } = await until(
    async () => {
      const { keys_to_carry_over: remaining } = await identityAdmin<PepperStatus>([
        'secret-pepper',
        'status',
      ]);
      return remaining.some(({ partner_id }) => partnerIds.includes(partner_id))
        ? null
        : { left: remaining.length };
    },
    { what: "the use of the partners' keys", timeoutMs: 120_000, intervalMs: 3_000 },
  );
  return left > 0 ? ['SECRET_PEPPER'] : [];
}
