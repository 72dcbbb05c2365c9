import { counter, gauge, type MetricTable } from '@casewatch/platform';

export const notifierMetrics = {
  'notifier.sent': counter('Submissions to a provider by channel, outcome and code', {
    labels: ['channel', 'outcome', 'code'],
  }),
  'notifier.ambiguous': counter(
    'Notifications that may be sent twice: the provider did not answer, or the sender died',
    { labels: ['channel'] },
  ),
  'notifier.late_answers': counter(
    'Mails without an answer of the mail server after 2 s: the next mail is sent, and a kill may send one mail more twice',
    { labels: [] },
  ),
  'notifier.circuit_open': gauge('Whether a circuit pauses its scope (1) or not (0)', { labels: ['scope'] }),
  'notifier.oldest_pending': gauge('Time that the oldest due notification of a channel waits', {
    unit: 's',
    labels: ['channel'],
  }),
  'notifier.template_approved': gauge('Whether WhatsApp approved a template as utility (1) or not (0)', {
    labels: ['template', 'language'],
  }),
} satisfies MetricTable;
