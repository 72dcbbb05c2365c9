import { every, type Running } from '@casewatch/platform';
import type { Context } from '../context.ts';

const announceMs = 750;
/** Oldest read that is announced, ms: gateways take an announcement for the present revision. */
const freshMs = 250;

/** Announces the revision to the gateways. Every replica does, so a replica that stops hands nothing over. */
export function announceRevision({ bus, log, stores }: Context): Running {
  let isFailing = false;

  async function publishRevision(): Promise<void> {
    const readAt = performance.now();
    const revision = await stores.revocations.revision();
    isFailing = false;
    // While disconnected, the bus would queue the message and publish an old revision later.
    if (performance.now() - readAt <= freshMs && bus.isConnected()) {
      bus.publish('revocations.announced', { revision });
    }
  }

  return every(announceMs, publishRevision, (error) => {
    if (!isFailing) log.warn({ err: error }, 'revision of revocations not announced');
    isFailing = true;
  });
}
