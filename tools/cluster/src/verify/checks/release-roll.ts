import type { Check, CheckContext, Outcome } from '../check.ts';
import { deadLetters } from '../dead-letters.ts';
import { createDeliveryAudit } from '../delivery-audit.ts';
import { everydayRequests, startEverydayLoad, summaryOf } from '../everyday-load.ts';
import { checkOut, lastRelease } from '../release/checkout.ts';
import { provideImages, tagOf } from '../release/release-images.ts';
import { deploy, rollTo } from '../release/roll-to.ts';
import { lastingRate, ROOT } from '../settings.ts';

const cases = 4;
const settleMs = 180_000;
const printed = 5;

/** This tree runs afterwards. */
export const releaseRoll: Check = {
  name: 'release-roll',
  promise:
    'from the last release to this one and back under load: 0 failed requests, 0 dead letters, every change delivered once',
  async run({ settings, reached, say }) {
    const last = await checkOut(settings.from ?? lastRelease());
    const tag = tagOf(last);
    try {
      await provideImages(last, settings, say);
      // Read at this tree, before and afterwards: the last release may keep its dead letters elsewhere.
      const deadBefore = await deadLetters();
      await deploy({ folder: last.folder, tag }, say);
      const outcome = await rollBothWays({ settings, reached, say }, { folder: last.folder, tag });
      await deploy({ folder: ROOT }, say);
      const dead = [...(await deadLetters())].filter(([name, count]) => count > (deadBefore.get(name) ?? 0));
      const letters = `dead letters: ${dead.map(([name]) => name).join(', ') || 'none'}`;
      return { ok: outcome.ok && dead.length === 0, measured: `${outcome.measured}; ${letters}` };
    } finally {
      await last.remove();
    }
  },
};

/** From the last release, which runs, to this tree and back, with a change of every case at each step. */
async function rollBothWays(
  { settings, reached, say }: CheckContext,
  last: { folder: string; tag: string },
): Promise<Outcome> {
  const system = await reached();
  const audit = await createDeliveryAudit(system, cases);
  await audit.settled(settleMs);
  const load = startEverydayLoad(await everydayRequests(system), { rate: lastingRate(settings), say });
  let printedCount = 0;
  const tell = (line: string) => {
    load.tell(line);
    const fresh = load.failures.slice(printedCount, printedCount + printed);
    for (const { at, kind, error } of fresh) say(`  ${at} ${kind}: ${error}`);
    printedCount = load.failures.length;
  };
  try {
    for (const release of [{ folder: ROOT }, last]) {
      await rollTo(release, tell, async () => {
        await audit.change();
        await audit.settled(settleMs);
      });
      tell(`every change delivered at ${'tag' in release ? release.tag : 'this tree'}`);
    }
    const totals = await load.stop();
    const faults = [...(await audit.missing()), ...(await audit.duplicates())];
    return {
      ok: totals.failures.length === 0 && faults.length === 0,
      measured: `${last.tag} → this tree → ${last.tag}: ${summaryOf(totals)}; ${audit.changes()} changes, ${faults.length} lost or doubled${faults.map((fault) => `; ${fault}`).join('')}`,
    };
  } finally {
    await load.stop();
  }
}
