import { randomInt } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { deployments, killPod, podsOf } from '../../kit/kubectl.ts';
import { rolledOut } from '../../kit/rollouts.ts';
import type { Check } from '../check.ts';
import { createDeliveryAudit } from '../delivery-audit.ts';

const kills = 6;
const cases = 8;
const promisedMs = 30_000;

export const podKills: Check = {
  name: 'pod-kills',
  promise: `${kills} random pods killed while cases change: nothing lost or doubled, recovered < ${promisedMs / 1000} s`,
  async run({ reached, say }) {
    const audit = await createDeliveryAudit(await reached(), cases);
    await audit.settled(60_000);
    const names = await deployments();
    let slowest = 0;
    for (let i = 0; i < kills; i++) {
      const name = names[randomInt(0, names.length)] ?? '';
      const pods = await podsOf(name);
      const pod = pods[randomInt(0, pods.length)]?.metadata.name ?? '';
      await Promise.all([audit.change(), delay(randomInt(0, 500)).then(() => killPod(pod))]);
      const tookMs = await audit.settled(180_000);
      slowest = Math.max(slowest, tookMs);
      say(`${pod} killed; everything arrived after ${(tookMs / 1000).toFixed(1)} s`);
      if (tookMs >= promisedMs) for (const line of await audit.slowDeliveries()) say(`  ${line}`);
    }
    await rolledOut(180_000, say);
    const stillMissing = await audit.missing();
    return {
      ok: slowest < promisedMs && stillMissing.length === 0,
      measured: `${audit.changes()} changes, ${stillMissing.length} lost or doubled, slowest ${(slowest / 1000).toFixed(1)} s`,
    };
  },
};
