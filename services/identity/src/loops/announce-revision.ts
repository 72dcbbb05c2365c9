import { every, type Running } from '@casewatch/platform';
import type { Context } from '../context.ts';

const announceMs = 1_000;
/** How long gateways get announcements after the last question of one, ms. */
const neededMs = 60_000;
/** Oldest read that is announced, ms: gateways take an announcement for the present revision. */
const freshMs = 250;

/** Announces the revision to the gateways while they are in use: then one asks this replica each minute. An idle system does not need it. */
export function announceRevision({ bus, log, signals, stores }: Context): Running {
  let isFailing = false;
  let askedAt = Number.NEGATIVE_INFINITY;
  const noteQuestion = () => {
    askedAt = performance.now();
  };
  signals.on('revocations', noteQuestion);

  async function publishRevision(): Promise<void> {
    const readAt = performance.now();
    if (readAt - askedAt > neededMs) return;
    const revision = await stores.revocations.revision();
    isFailing = false;
    // While disconnected, the bus would queue the message and publish an old revision later.
    if (performance.now() - readAt <= freshMs && bus.isConnected()) {
      bus.publish('revocations.announced', { revision });
    }
  }

  const loop = every(announceMs, publishRevision, (error) => {
    if (!isFailing) log.warn({ err: error }, 'revocation revision not announced');
    isFailing = true;
  });
  return {
    async stop() {
      signals.off('revocations', noteQuestion);
      await loop.stop();
    },
  };
}
