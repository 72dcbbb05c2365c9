import type { Message } from './message.ts';

/** A message as in Twilio's REST API, with dates as RFC 2822. */
export function presentMessage(message: Message, accountSid: string) {
  const { sid, to, from, body, status, error_code } = message;
  const uri = `/2010-04-01/Accounts/${accountSid}/Messages/${sid}`;
  return {
    account_sid: accountSid,
    api_version: '2010-04-01',
    body,
    date_created: rfc2822(message.created_at),
    date_sent: message.sent_at === null ? null : rfc2822(message.sent_at),
    date_updated: rfc2822(message.updated_at),
    direction: 'outbound-api',
    error_code,
    error_message: error_code === null ? null : `Error ${error_code}`,
    from,
    messaging_service_sid: null,
    num_media: '0',
    num_segments: '1',
    price: null,
    price_unit: null,
    sid,
    status,
    subresource_uris: { media: `${uri}/Media.json` },
    to,
    uri: `${uri}.json`,
  };
}

/** A message as `GET /sandbox/messages` shows it. */
export function presentRecord(message: Message) {
  const { updated_at: _updated, sent_at: _sent, ...record } = message;
  return record;
}

/** "Sat, 21 Nov 2026 10:00:00 +0000" */
function rfc2822(iso: string): string {
  return new Date(iso).toUTCString().replace('GMT', '+0000');
}
