import type { Meter } from '@opentelemetry/api';
import { createInstrument } from '../telemetry/metric-table.ts';
import { platformMetrics } from '../telemetry/platform-metrics.ts';
import { heldLeases } from './lease.ts';
import type { Connection } from './mongo.ts';

/** Measures leases, the pools and the commands of connections that were opened with `monitorCommands`. */
export function measureMongo(meter: Meter, pools: Readonly<Record<string, Connection>>): void {
  const duration = createInstrument(meter, platformMetrics, 'db.client.operation.duration.seconds');
  for (const [pool, connection] of Object.entries(pools)) {
    measurePool(meter, pool, connection);
    const client = connection.getClient();
    client.on('commandSucceeded', ({ commandName: command, duration: ms }) =>
      duration.record(ms / 1_000, { command, outcome: 'ok' }),
    );
    client.on('commandFailed', ({ commandName: command, duration: ms }) =>
      duration.record(ms / 1_000, { command, outcome: 'failed' }),
    );
  }
  createInstrument(meter, platformMetrics, 'lease.held').addCallback((result) => {
    for (const connection of Object.values(pools))
      for (const [lease, isHeld] of heldLeases(connection)) result.observe(isHeld ? 1 : 0, { lease });
  });
}

/** The events of the driver (Connection Monitoring and Pooling specification). */
function measurePool(meter: Meter, pool: string, connection: Connection): void {
  let open = 0;
  let used = 0;
  let waiting = 0;
  const client = connection.getClient();
  client.on('connectionCreated', () => void open++);
  client.on('connectionClosed', () => void open--);
  client.on('connectionCheckOutStarted', () => void waiting++);
  client.on('connectionCheckOutFailed', () => void waiting--);
  client.on('connectionCheckedOut', () => {
    waiting -= 1;
    used += 1;
  });
  client.on('connectionCheckedIn', () => void used--);
  createInstrument(meter, platformMetrics, 'db.client.connection.count').addCallback((result) => {
    result.observe(used, { pool, state: 'used' });
    result.observe(Math.max(0, open - used), { pool, state: 'idle' });
  });
  createInstrument(meter, platformMetrics, 'db.client.connection.pending_requests').addCallback((result) =>
    result.observe(Math.max(0, waiting), { pool }),
  );
}
