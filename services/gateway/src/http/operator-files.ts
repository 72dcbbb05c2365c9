import { type ContextInput, orNull } from '@casewatch/platform';
import type { GatewayConfig } from '../config.ts';
import { script, styleSheet } from '../pages/assets.ts';
import { pageHeaders } from '../pages/layout.ts';
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
    const text = operatorPage(state, { now: clock.now(), tracesUrl: config.TRACES_URL });
    return { type: 'text/html', text, headers: pageHeaders };
  });
}

/** A service that does not answer is null; the others are shown. */
async function readSystem(bus: Bus): Promise<SystemState> {
  const orNone = <T>(reply: Promise<T>) => orNull(reply, 'service_unavailable');
  const [checks, identity, cases, monitor, notifier, webhooks] = await Promise.all([
    orNone(bus.request('monitor.status', {})),
    orNone(bus.request('identity.state', {})),
    orNone(bus.request('cases.state', {})),
    orNone(bus.request('monitor.state', {})),
    orNone(bus.request('notifier.state', {})),
    orNone(bus.request('webhooks.state', {})),
  ]);
  return { checks, services: { identity, cases, monitor, notifier, webhooks } };
}
