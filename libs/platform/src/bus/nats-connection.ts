import { connect, credsAuthenticator, type NatsConnection } from '@nats-io/transport-node';
import type { NatsAccess } from '../settings/connection-settings.ts';

/** Reconnects without limit; with `waits` the first connection too. Replies arrive below `_INBOX_<name>`, where only this user subscribes. */
export function connectNats(
  name: string,
  { url, tls = {}, ...who }: NatsAccess,
  { waits }: { waits: boolean },
): Promise<NatsConnection> {
  const servers = url.split(',');
  // With tls:// alone the client would accept a server without TLS.
  const needsTls = tls.ca !== undefined || servers.some((server) => server.trim().startsWith('tls://'));
  return connect({
    servers,
    ...(needsTls && { tls }),
    name,
    ...('creds' in who
      ? { authenticator: credsAuthenticator(new TextEncoder().encode(who.creds)) }
      : { user: who.user, pass: who.password }),
    inboxPrefix: `_INBOX_${name}`,
    maxReconnectAttempts: -1,
    reconnectTimeWait: 500,
    reconnectJitter: 250,
    pingInterval: 5_000,
    maxPingOut: 2,
    timeout: 5_000,
    waitOnFirstConnect: waits,
    ignoreAuthErrorAbort: true,
    // Members of a cluster name each other at each connection: who does not wait would try a refused user at them for ever.
    ignoreClusterUpdates: !waits,
    // Otherwise each request makes an error with a stack, also if it succeeds.
    noAsyncTraces: true,
  });
}
