import { headers, type MsgHdrs } from '@nats-io/transport-node';
import { currentContext, networkHeader, newContext } from '../telemetry/logger.ts';

export function contextHeaders(context = currentContext() ?? newContext()): MsgHdrs {
  const hdrs = headers();
  hdrs.set('x-request-id', context.request_id);
  hdrs.set('traceparent', context.traceparent);
  if (context.network !== undefined) hdrs.set(networkHeader, context.network);
  return hdrs;
}

export function contextOf(hdrs: MsgHdrs | undefined) {
  return newContext(
    hdrs?.get('x-request-id') || undefined,
    hdrs?.get('traceparent') || undefined,
    hdrs?.get(networkHeader) || undefined,
  );
}

/** OpenTelemetry semantic conventions, Messaging. */
export function messagingAttributes(destination: string) {
  return { 'messaging.system': 'nats', 'messaging.destination.name': destination };
}
