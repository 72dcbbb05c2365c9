import { connect, type NatsConnection } from '@nats-io/transport-node';
import { natsTlsOptions, type TlsFiles } from '../settings/connection-settings.ts';

/** Where NATS is (several addresses with commas between them), and as which user to connect. */
export type NatsAccess = { url: string; user: string; password: string; tls?: TlsFiles };

/**
 * Connects, and once connected keeps reconnecting for ever: a bus that is away is an outage, not an end. Answers come
 * below `_INBOX_<user>`, which this user alone may hear. `waits`: also for the first connection, for ever.
 */
export function connectNats(
  name: string,
  { url, user, password, tls = {} }: NatsAccess,
  { waits }: { waits: boolean },
): Promise<NatsConnection> {
  const servers = url.split(',');
  return connect({
    servers,
    ...natsTlsOptions(servers, tls),
    name,
    user,
    pass: password,
    inboxPrefix: `_INBOX_${name}`,
    maxReconnectAttempts: -1,
    reconnectTimeWait: 500,
    reconnectJitter: 250,
    pingInterval: 5_000,
    maxPingOut: 2,
    timeout: 5_000,
    waitOnFirstConnect: waits,
    ignoreAuthErrorAbort: true,
  });
}
