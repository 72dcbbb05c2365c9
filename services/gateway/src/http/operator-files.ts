import { type ReplyData, type RequestInput, type RequestName, requests } from '@casewatch/contracts';
import { ApiError, type ContextInput, withDeadline } from '@casewatch/platform';
import type { GatewayConfig } from '../config.ts';
import { script, styleSheet } from '../pages/assets.ts';
import { pageHeaders } from '../pages/layout.ts';
import { commandsOf } from '../pages/operator/commands.ts';
import { operatorPage } from '../pages/operator/operator-page.ts';
import type { SystemState } from '../pages/operator/system-state.ts';

type Options = Pick<ContextInput<'gateway', GatewayConfig, null>, 'base' | 'config'>;
type Bus = Options['base']['bus'];

/** The page for operators on the port of the metrics, which only operators reach. */
export function addOperatorFiles({ base: { bus, clock, addOperatorFile }, config }: Options): void {
  for (const { path, type, text } of [styleSheet, script])
    addOperatorFile(path, async () => ({ type, text }));
  addOperatorFile('/', async () => {
    const state = await readSystem(bus);
    const command = commandsOf(config.OPERATOR_EXEC);
    const text = operatorPage(state, { now: clock.now(), tracesUrl: config.TRACES_URL, command });
    return { type: 'text/html', text, headers: pageHeaders };
  });
}

/** Longest wait for NATS itself, ms. */
const natsMs = 2_000;

/** A service that does not answer is null; the others are shown. */
async function readSystem(bus: Bus): Promise<SystemState> {
  const unable: string[] = [];
  async function ask<N extends RequestName>(name: N): Promise<ReplyData<N> | null> {
    try {
      return await bus.request(name, {} as RequestInput<N>);
    } catch (error) {
      if (!(error instanceof ApiError) || error.code !== 'service_unavailable') throw error;
      // No reply has the error of NATS as its cause.
      if (error.cause === undefined) unable.push(requests[name].owner);
      return null;
    }
  }
  const [isBusUp, checks, identity, cases, monitor, notifier, webhooks] = await Promise.all([
    isAnswered(bus),
    ask('monitor.status'),
    ask('identity.state'),
    ask('cases.state'),
    ask('monitor.state'),
    ask('notifier.state'),
    ask('webhooks.state'),
  ]);
  return { isBusUp, unable, checks, services: { identity, cases, monitor, notifier, webhooks } };
}

/** A connection stays open for some seconds after its server has stopped to answer. */
async function isAnswered({ connection, isConnected }: Bus): Promise<boolean> {
  if (!isConnected()) return false;
  return await withDeadline(connection.rtt(), natsMs, 'an answer of NATS').then(
    () => true,
    () => false,
  );
}
