import { type Channel, channel } from '@casewatch/contracts';
import { createInstruments, type Logger, type Meter, readAtScrape } from '@casewatch/platform';
import type { TemplateState } from './clients/template-state.ts';
import type { Circuit } from './domain/circuit.ts';
import type { Outcome } from './domain/outcome.ts';
import { notifierMetrics } from './metric-table.ts';
import type { Unsent } from './store/message-counts.ts';

/** Shortest time between two measurements of the waiting notifications, ms. */
const intervalMs = 10_000;

/** Read during a scrape. */
type State = {
  log: Logger;
  circuits: ReadonlyMap<string, Circuit>;
  longestWaitSeconds(channel: Channel): Promise<number>;
  unsent(queue: Queue): Promise<Unsent>;
  /** Urgent news of the last day that reached no member of its firm. */
  unreached(): Promise<number>;
};

type Queue = Channel | 'mails' | 'member_mails';
const queues = [...channel.options, 'mails', 'member_mails'] as const;

export type Metrics = ReturnType<typeof createMetrics>;

export function createMetrics(meter: Meter, { log, circuits, longestWaitSeconds, unsent, unreached }: State) {
  const all = createInstruments(meter, notifierMetrics);
  const [sent, ambiguous] = [all['notifier.sent'], all['notifier.ambiguous']];
  const waits = new Map<Channel, number>();
  const waiting = new Map<Queue, Unsent>();
  let unreachedNews = 0;
  let templates: readonly TemplateState[] = [];
  const update = readAtScrape(
    intervalMs,
    async () => {
      for (const name of channel.options) waits.set(name, await longestWaitSeconds(name));
      for (const name of queues) waiting.set(name, await unsent(name));
      unreachedNews = await unreached();
    },
    (error) => log.warn({ err: error }, 'waiting notifications not measured'),
  );
  all['notifier.circuit_open'].addCallback((result) => {
    for (const [scope, circuit] of circuits)
      result.observe(circuit.admits(performance.now()) === Number.POSITIVE_INFINITY ? 0 : 1, { scope });
  });
  all['notifier.oldest_pending'].addCallback(async (result) => {
    await update();
    for (const [channel, seconds] of waits) result.observe(seconds, { channel });
  });
  all['notifier.oldest_unsent'].addCallback(async (result) => {
    await update();
    for (const [channel, { oldestSeconds }] of waiting) result.observe(oldestSeconds, { channel });
  });
  all['notifier.unsent'].addCallback(async (result) => {
    await update();
    for (const [channel, { count }] of waiting) result.observe(count, { channel });
  });
  all['notifier.unreached_news'].addCallback(async (result) => {
    await update();
    result.observe(unreachedNews);
  });
  all['notifier.template_approved'].addCallback((result) => {
    for (const { template, language, sid, isReady } of templates)
      if (sid !== null) result.observe(isReady ? 1 : 0, { template, language });
  });
  return {
    submitted(channel: Queue, outcome: Outcome): void {
      const code = outcome.kind === 'accepted' ? 'ok' : (outcome.error.split(':', 1)[0] ?? 'unknown');
      sent.add(1, { channel, outcome: outcome.kind, code });
      if (outcome.kind === 'ambiguous') ambiguous.add(1, { channel });
    },
    answerIsLate: () => all['notifier.late_answers'].add(1),
    badEvents: (provider: string, count: number) =>
      all['notifier.bad_provider_events'].add(count, { provider }),
    interrupted: (channel: Channel) => ambiguous.add(1, { channel }),
    /** The latest comparison with the provider. */
    templates: () => templates,
    compared(states: readonly TemplateState[]): void {
      templates = states;
    },
  };
}
