import { defineService } from '@casewatch/platform';
import { gatewayConfig } from './config.ts';
import { createContext } from './context.ts';
import { onGatewayCounted } from './events/on-gateway-counted.ts';
import { onRevocationsAnnounced } from './events/on-revocations-announced.ts';
import { createEdgeServer } from './http/edge-server.ts';
import { addOperatorFiles } from './http/operator-files.ts';
import { beginRevocations } from './loops/begin-revocations.ts';
import { publishCounts } from './loops/publish-counts.ts';
import { reachServices } from './loops/reach-services.ts';
import { sweepLimits } from './loops/sweep-limits.ts';

export const gateway = defineService({
  name: 'gateway',
  config: gatewayConfig,
  database: null,
  context(input) {
    addOperatorFiles(input);
    return createContext(input);
  },
  http: createEdgeServer,
  requests: {},
  events: {
    'revocations.announced': onRevocationsAnnounced,
    'gateway.counted': onGatewayCounted,
  },
  loops: [beginRevocations, publishCounts, reachServices, sweepLimits],
});
