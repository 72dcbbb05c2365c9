import { isDeepStrictEqual } from 'node:util';
import { startLoad, type Totals } from '../../load/load.ts';
import type { Check, Outcome } from '../check.ts';
import { everydayLoad } from '../everyday-load.ts';
import type { Reached } from '../reach.ts';
import { createFixtures, type Fixtures } from '../rotations/fixtures.ts';
import { freshSecrets, replaced } from '../rotations/fresh-secrets.ts';
import { keysCarriedOver, rotateSigningKey } from '../rotations/identity-admin.ts';
import { readHeld } from '../rotations/live-settings.ts';
import { rotate } from '../rotations/rotate.ts';
import { until } from '../wait.ts';

const rate = 50;

/** Secrets are replaced while partners work, and put back in the same way: what the overlay says is true again. */
export const rotations: Check = {
  name: 'rotations',
  promise: `every kind of secret replaced, and put back, under ${rate} requests/s: 0 failed requests, what was made before still works`,
  async run({ reached, say }) {
    const system = await reached();
    const everyday = await everydayLoad(system);
    const fixtures = await createFixtures(system);
    const load = startLoad({ origin: system.gatewayAtNode, rate, ...everyday });
    const faults: string[] = [];
    const tell = (line: string) => say(`${line}; ${load.sent()} requests, ${load.failures.length} failed`);
    const look = async (when: string) => {
      await fixtures.change();
      faults.push(...(await fixtures.faults()).map((fault) => `${when}: ${fault}`));
    };
    try {
      await look('before');
      const before = await readHeld(replaced);
      const onSecondStep = async () => {
        await look('second step');
        await rotateSigningKeyOf(fixtures);
        return await ringsKept(system, fixtures);
      };
      const fresh = freshSecrets(before);
      const now = await rotate({ from: before, to: fresh, say: tell, onSecondStep, rollsLast: true });
      await look('with the new secrets alone');
      // The pods keep both until their next start: what they made since the second step, the overlay's secrets open.
      const back = await rotate({ from: now, to: before, say: tell, onSecondStep, rollsLast: false });
      await look('with the former secrets again');
      if (!isDeepStrictEqual(back, before)) faults.push('the former secrets could not be put back alone');
      return judged({ totals: await load.stop(), faults, kept: !isDeepStrictEqual(now, fresh), say });
    } finally {
      await load.stop();
      await fixtures.leave();
    }
  },
};

/** A new key for access tokens: tokens of the one before serve on, new ones come from it. */
async function rotateSigningKeyOf({ session }: Fixtures): Promise<void> {
  const kid = await rotateSigningKey();
  await until(
    async () => {
      await session.refresh();
      return session.kid() === kid;
    },
    { what: 'a token of the new key', timeoutMs: 60_000, intervalMs: 3_000 },
  );
}

/** The former pepper stays where somebody has a key who did not use it: as the documentation says. */
async function ringsKept({ dev }: Reached, fixtures: Fixtures): Promise<readonly string[]> {
  await fixtures.renew();
  const faults = await fixtures.faults(); // uses both partners' keys
  if (faults.length > 0) throw new Error(faults.join('; '));
  const left = await keysCarriedOver([dev.partner.id, dev.other_partner.id]);
  return left > 0 ? ['SECRET_PEPPER'] : [];
}

type Judging = {
  totals: Totals;
  faults: string[];
  /** Whether the former pepper stayed in the ring. */
  kept: boolean;
  say(line: string): void;
};

function judged({ totals, faults, kept, say }: Judging): Outcome {
  const { sent, failures, perSecond } = totals;
  for (const { at, kind, what } of failures.slice(0, 20)) say(`  ${at} ${kind}: ${what}`);
  const requests = `${sent} requests at ${perSecond.toFixed(0)}/s, ${failures.length} failed`;
  const pepper = kept ? '; the former pepper kept for keys that nobody used' : '';
  return {
    ok: failures.length === 0 && faults.length === 0,
    measured: `two rotations, ${requests}, ${faults.length} faults${faults.map((fault) => `; ${fault}`).join('')}${pepper}`,
  };
}
