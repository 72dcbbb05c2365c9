import type { Channel } from '@casewatch/contracts';
import { createInstruments, type Meter } from '@casewatch/platform';
import type { TemplateState } from './clients/template-state.ts';
import type { Circuit } from './domain/circuit.ts';
import type { Outcome } from './domain/outcome.ts';
import { notifierMetrics } from './metric-table.ts';

/** Read during a scrape, so without a database query. */
type State = {
  circuits: ReadonlyMap<string, Circuit>;
};

export type Metrics = ReturnType<typeof createMetrics>;

export function createMetrics(meter: Meter, { circuits }: State) {
  const all = createInstruments(meter, notifierMetrics);
  const [sent, ambiguous] = [all['notifier.sent'], all['notifier.ambiguous']];
  const waits = new Map<Channel, number>();
  let templates: readonly TemplateState[] = [];
  all['notifier.circuit_open'].addCallback((result) => {
    for (const [scope, circuit] of circuits)
      result.observe(circuit.admits(performance.now()) === Number.POSITIVE_INFINITY ? 0 : 1, { scope });
  });
  all['notifier.oldest_pending'].addCallback((result) => {
    for (const [channel, seconds] of waits) result.observe(seconds, { channel });
  });
  all['notifier.template_approved'].addCallback((result) => {
    for (const { template, language, sid, isReady } of templates)
      if (sid !== null) result.observe(isReady ? 1 : 0, { template, language });
  });
  return {
    submitted(channel: Channel | 'mails', outcome: Outcome): void {
      const code = outcome.kind === 'accepted' ? 'ok' : (outcome.error.split(':', 1)[0] ?? 'unknown');
      sent.add(1, { channel, outcome: outcome.kind, code });
      if (outcome.kind === 'ambiguous') ambiguous.add(1, { channel });
    },
    answerIsLate: () => all['notifier.late_answers'].add(1),
    interrupted: (channel: Channel) => ambiguous.add(1, { channel }),
    waiting: (channel: Channel, seconds: number) => void waits.set(channel, seconds),
    /** The latest comparison with the provider. */
    templates: () => templates,
    compared(states: readonly TemplateState[]): void {
      templates = states;
    },
  };
}
