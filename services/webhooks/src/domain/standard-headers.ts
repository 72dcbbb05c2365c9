export function standardHeaders(eventId: string, at: Date) {
  return {
    'content-type': 'application/json',
    'user-agent': 'Casewatch-Webhooks/1',
    'webhook-id': eventId,
    'webhook-timestamp': String(Math.floor(at.getTime() / 1_000)),
  };
}
