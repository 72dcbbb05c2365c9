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
    'Mails without an answer from the mail server after 2 s. The next mail is sent, so a kill may double one more mail',
    { labels: [] },
  ),
  'notifier.bad_provider_events': counter(
    'Events in signed callbacks of a mail provider that could not be read or handled: their mails keep their state',
    { labels: ['provider'] },
  ),
  'notifier.circuit_open': gauge('Whether a circuit pauses its scope (1) or not (0)', { labels: ['scope'] }),
  'notifier.oldest_pending': gauge('Time that the oldest due notification of a channel has waited', {
    unit: 's',
    labels: ['channel'],
  }),
  'notifier.oldest_unsent': gauge(
    'Time that the oldest unsent message of a channel has waited since its creation, or since the end of a hold (quiet hours, digest, daily limit); `mails` are sign-in codes and other mails of accounts, `member_mails` what firms’ staff is to be told',
    { unit: 's', labels: ['channel'] },
  ),
  'notifier.unsent': gauge('Messages of a channel that should have been sent by now; counts at most 1,000', {
    labels: ['channel'],
  }),
  'notifier.unreached_news': gauge(
    'Urgent changes of the last 24 hours of which no member could be told, of firms that have members; counts at most 1,000',
    { labels: [] },
  ),
  'notifier.template_approved': gauge('Whether WhatsApp approved a template as utility (1) or not (0)', {
    labels: ['template', 'language'],
  }),
} satisfies MetricTable;
