import type { Bus } from '../bus/bus.ts';
import type { LeaseSignals } from '../store/lease.ts';
import type { Logger } from '../telemetry/logger.ts';
import { outboxSubject } from './subject.ts';

/** Tells the other replicas of a service that a lease was given back: a message to its relays, which they take as a wake-up. */
export function leaseSignals(bus: Bus, log: Logger, lease: string): LeaseSignals {
  const subject = outboxSubject(bus.service);
  const word = `lease ${lease}`;
  return {
    notify() {
      try {
        if (bus.isConnected()) bus.connection.publish(subject, word);
      } catch (error) {
        log.debug({ lease, err: error }, 'release of the lease not published');
      }
    },
    subscribe(wake) {
      const subscription = bus.connection.subscribe(subject, {
        callback: (error, message) => {
          if (!error && message.string() === word) wake();
        },
      });
      return () => subscription.unsubscribe();
    },
  };
}
