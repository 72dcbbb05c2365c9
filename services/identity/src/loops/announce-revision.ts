import { every, type Running } from '@casewatch/platform';
import type { Context } from '../context.ts';

/** How often gateways are told, ms (architecture.md §4). */
const announceMs = 500;
/** A revision that was read longer ago than this, ms, is not announced: gateways take it for the present one. */
const freshMs = 250;

/**
 * Tells gateways how far revocations are. Every replica does, each from the database: so nothing has to be handed over when one
 * of them goes, and a gateway that hears no one asks.
 */
export function announceRevision({ bus, log, stores }: Context): Running {
  let isFailing = false;

  async function announce(): Promise<void> {
    const readAt = performance.now();
    const revision = await stores.revocations.revision();
    isFailing = false;
    // The bus keeps what is said while it is away for later, when it would no longer be true.
    if (performance.now() - readAt <= freshMs && bus.isConnected()) {
      bus.publish('revocations.announced', { revision });
    }
  }

  return every(announceMs, announce, (error) => {
    // Twice a second is too often to say the same; gateways say it too.
    if (!isFailing) log.warn({ err: error }, 'revision not announced');
    isFailing = true;
  });
}
