import { startLoad } from '../../load/load.ts';
import type { Check, Situation } from '../check.ts';
import { deadLetters } from '../dead-letters.ts';
import { createDeliveryAudit } from '../delivery-audit.ts';
import { everydayLoad } from '../everyday-load.ts';
import { checkOut, lastRelease } from '../release/checkout.ts';
import { provideImages, tagOf } from '../release/release-images.ts';
import { deploy, rollTo } from '../release/roll-to.ts';
import { ROOT } from '../settings.ts';

const rate = 50;
const cases = 4;
const settleMs = 180_000;

/** From the last release to this tree and back, while partners work and cases change. This tree runs afterwards. */
export const releaseRoll: Check = {
  name: 'release-roll',
  promise: `from the last release to this one and back under ${rate} requests/s: 0 failed requests, 0 dead letters, every change told once`,
  async run({ settings, reached, say }) {
    const last = await checkOut(settings.from ?? lastRelease());
    const tag = tagOf(last);
    try {
      await provideImages(last, settings, say);
      await deploy({ folder: last.folder, tag }, say);
      const outcome = await rolls({ settings, reached, say }, { folder: last.folder, tag });
      await deploy({ folder: ROOT }, say);
      return outcome;
    } finally {
      await last.remove();
    }
  },
};

/** The last release runs: to this one, and back, with a change of every case at each step. */
async function rolls({ reached, say }: Situation, last: { folder: string; tag: string }) {
  const system = await reached();
  const audit = await createDeliveryAudit(system, cases);
  await audit.settled(settleMs);
  const deadBefore = await deadLetters();
  const load = startLoad({ origin: system.gatewayAtNode, rate, ...(await everydayLoad(system)) });
  let told = 0;
  const tell = (line: string) => {
    say(`${line}; ${load.sent()} requests, ${load.failures.length} failed`);
    for (const { at, kind, what } of load.failures.slice(told, told + 5)) say(`  ${at} ${kind}: ${what}`);
    told = load.failures.length;
  };
  try {
    for (const release of [{ folder: ROOT }, last]) {
      await rollTo(release, tell, async () => {
        await audit.change();
        await audit.settled(settleMs);
      });
      tell(`every change told at ${'tag' in release ? release.tag : 'this tree'}`);
    }
    const { sent, failures, perSecond } = await load.stop();
    const faults = [...(await audit.missing()), ...(await audit.doubled())];
    const dead = [...(await deadLetters())].filter(([name, count]) => count > (deadBefore.get(name) ?? 0));
    const requests = `${sent} requests at ${perSecond.toFixed(0)}/s, ${failures.length} failed`;
    const letters = `dead letters: ${dead.map(([name]) => name).join(', ') || 'none'}`;
    return {
      ok: failures.length === 0 && faults.length === 0 && dead.length === 0,
      measured: `${last.tag} → this tree → ${last.tag}: ${requests}; ${letters}; ${audit.changes()} changes, ${faults.length} lost or doubled${faults.map((fault) => `; ${fault}`).join('')}`,
    };
  } finally {
    await load.stop();
  }
}
