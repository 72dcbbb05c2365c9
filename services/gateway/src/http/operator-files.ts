import type { ContextInput } from '@casewatch/platform';
import type { GatewayConfig } from '../config.ts';
import { script, styleSheet } from '../pages/assets.ts';
import { pageHeaders } from '../pages/layout.ts';
import { operatorPage } from '../pages/operator/status.ts';

type Base = Pick<ContextInput<'gateway', GatewayConfig, null>['base'], 'bus' | 'addOperatorFile'>;

/** The page for operators on the port of the metrics, which only operators reach. */
export function addOperatorFiles({ bus, addOperatorFile }: Base): void {
  for (const { path, type, text } of [styleSheet, script])
    addOperatorFile(path, async () => ({ type, text }));
  addOperatorFile('/', async () => {
    const status = await bus.request('monitor.status', {});
    return { type: 'text/html', text: operatorPage(status, new Date()), headers: pageHeaders };
  });
}
