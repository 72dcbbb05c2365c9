import type { Channel } from '@casewatch/contracts';
import type { Meter } from '@casewatch/platform';
import type { Circuit } from './domain/circuit.ts';
import type { Outcome } from './domain/outcome.ts';

/** Read during a scrape, so without a database query. */
type State = {
  circuits: ReadonlyMap<string, Circuit>;
};

export type Metrics = ReturnType<typeof createMetrics>;

/** The metrics of the notifier; README.md lists them. */
export function createMetrics(meter: Meter, { circuits }: State) {
  const sent = meter.createCounter('notifier.sent', {
    description: 'Submissions to a provider by channel, outcome and code',
  });
  const ambiguous = meter.createCounter('notifier.ambiguous', {
    description: 'Notifications that may be sent twice: the provider did not answer, or the sender died',
  });
  const circuitOpen = meter.createObservableGauge('notifier.circuit_open', {
    description: 'Whether a circuit pauses its scope (1) or not (0)',
  });
  const oldestPending = meter.createObservableGauge('notifier.oldest_pending', {
    description: 'Time that the oldest due notification of a channel waits',
    unit: 's',
  });
  const approved = meter.createObservableGauge('notifier.template_approved', {
    description: 'Whether WhatsApp approved a template as utility (1) or not (0)',
  });
  const waits = new Map<Channel, number>();
  const approvals = new Map<string, { template: string; language: string; isApproved: boolean }>();
  circuitOpen.addCallback((result) => {
    for (const [scope, circuit] of circuits)
      result.observe(circuit.admits(performance.now()) === Number.POSITIVE_INFINITY ? 0 : 1, { scope });
  });
  oldestPending.addCallback((result) => {
    for (const [channel, seconds] of waits) result.observe(seconds, { channel });
  });
  approved.addCallback((result) => {
    for (const { template, language, isApproved } of approvals.values())
      result.observe(isApproved ? 1 : 0, { template, language });
  });
  return {
    submitted(channel: Channel | 'mails', outcome: Outcome): void {
      const code = outcome.kind === 'accepted' ? 'ok' : (outcome.error.split(':', 1)[0] ?? 'unknown');
      sent.add(1, { channel, outcome: outcome.kind, code });
      if (outcome.kind === 'ambiguous') ambiguous.add(1, { channel });
    },
    interrupted: (channel: Channel) => ambiguous.add(1, { channel }),
    waiting: (channel: Channel, seconds: number) => void waits.set(channel, seconds),
    approval(template: string, language: string, isApproved: boolean): void {
      approvals.set(`${template} ${language}`, { template, language, isApproved });
    },
  };
}
