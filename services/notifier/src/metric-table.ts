import type { MetricTable } from '@casewatch/platform';

export const notifierMetrics = {
  'notifier.sent': {
    kind: 'counter',
    labels: ['channel', 'outcome', 'code'],
    description: 'Submissions to a provider by channel, outcome and code',
  },
  'notifier.ambiguous': {
    kind: 'counter',
    labels: ['channel'],
    description: 'Notifications that may be sent twice: the provider did not answer, or the sender died',
  },
  'notifier.late_answers': {
    kind: 'counter',
    labels: [],
    description:
      'Mails without an answer of the mail server after 2 s: the next mail is sent, and a kill may send one mail more twice',
  },
  'notifier.circuit_open': {
    kind: 'gauge',
    labels: ['scope'],
    description: 'Whether a circuit pauses its scope (1) or not (0)',
  },
  'notifier.oldest_pending': {
    kind: 'gauge',
    unit: 's',
    labels: ['channel'],
    description: 'Time that the oldest due notification of a channel waits',
  },
  'notifier.template_approved': {
    kind: 'gauge',
    labels: ['template', 'language'],
    description: 'Whether WhatsApp approved a template as utility (1) or not (0)',
  },
} as const satisfies MetricTable;
