import { NotYetError, RetryLaterError } from '@casewatch/platform';
import { measureEvents, type Stuck } from './stuck-events/measure.ts';

/** What events that cannot be handled may cost the others of their stream. */
const aim = 2;
const stuckCount = 40;
const eventCount = 300;
const perSecond = 30;

const kinds: Record<string, Stuck> = {
  'not yet': () => new NotYetError('the object is not known here yet'),
  failed: () => new TypeError('a fault of the program'),
  away: () => new RetryLaterError('a dependency of this event alone is away'),
};

const say = (line: string) => process.stdout.write(`${line}\n`);
say(
  `# stuck events: time from an event's transaction to its handler, ms; ${eventCount} events at ${perSecond}/s`,
);
for (const [kind, error] of Object.entries(kinds)) {
  const { before, beside } = await measureEvents({ error, stuckCount, eventCount, perSecond });
  const ratio = beside.p99 / before.p99;
  say(
    `${kind}: p50 ${before.p50.toFixed(1)} → ${beside.p50.toFixed(1)}, p99 ${before.p99.toFixed(1)} → ` +
      `${beside.p99.toFixed(1)} beside ${stuckCount} stuck: ${ratio.toFixed(2)} × (aim ≤ ${aim})`,
  );
  if (ratio > aim) process.exitCode = 1;
}
