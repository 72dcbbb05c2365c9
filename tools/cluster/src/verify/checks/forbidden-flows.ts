import type { Check } from '../check.ts';
import { exec, kubectl } from '../kubectl.ts';
import { unknownPod } from '../unknown-pod.ts';
import { until } from '../wait.ts';

/** From a pod (`deploy/<name>`) to an address; `unknown` is a pod that no policy knows. */
type Flow = { from: string; to: string; port: number };

/** What the system lives on: that these work shows that the targets below are there. */
const allowed: Flow[] = [
  { from: 'gateway', to: 'identity', port: 443 },
  { from: 'gateway', to: 'cases', port: 443 },
  { from: 'cases', to: 'nats', port: 4222 },
  { from: 'cases', to: 'mongodb-0.mongodb', port: 27017 },
  { from: 'monitor', to: 'sandbox', port: 4008 },
  { from: 'webhooks', to: 'sandbox', port: 4010 },
];

const forbidden: Flow[] = [
  // A pod of somebody else's goes nowhere but to the public address, and that only where it may leave.
  { from: 'unknown', to: 'identity', port: 443 },
  { from: 'unknown', to: 'mongodb-0.mongodb', port: 27017 },
  { from: 'unknown', to: 'nats', port: 4222 },
  // The gateway stores nothing; services meet on the bus alone.
  { from: 'gateway', to: 'mongodb-0.mongodb', port: 27017 },
  { from: 'cases', to: 'identity', port: 443 },
  // Whatever address a partner gave its endpoint: nothing of ours can be called by it.
  { from: 'webhooks', to: 'identity', port: 443 },
  { from: 'monitor', to: 'identity', port: 443 },
  // Only who must may leave the cluster.
  { from: 'cases', to: 'sandbox', port: 4008 },
];

export const forbiddenFlows: Check = {
  name: 'network-policies',
  promise: 'network policies enforced: forbidden flows refused, the others not',
  async run({ say }) {
    await kubectl(['apply', '--filename', '-'], { input: JSON.stringify(unknownPod) });
    try {
      await kubectl(['wait', 'pod/unknown', '--for=condition=Ready', '--timeout=120s']);
      for (const flow of allowed)
        await until(() => connects(flow), { what: `${describe(flow)} to connect`, timeoutMs: 60_000 });
      const open: string[] = [];
      for (const flow of forbidden) {
        // A policy engine needs a moment with a new pod.
        const isRefused = await until(async () => !(await connects(flow)), {
          what: 'a refusal',
          timeoutMs: 15_000,
          intervalMs: 2_000,
        }).catch(() => false);
        if (!isRefused) open.push(describe(flow));
        say(`${describe(flow)}: ${isRefused ? 'refused' : 'OPEN'}`);
      }
      return {
        ok: open.length === 0,
        measured: `${allowed.length} allowed flows connect, ${forbidden.length - open.length} of ${forbidden.length} forbidden refused${open.map((flow) => `; open: ${flow}`).join('')}`,
      };
    } finally {
      await kubectl(['delete', 'pod', 'unknown', '--wait=false', '--ignore-not-found']);
    }
  },
};

const program = `
const [host, port] = process.argv.slice(1);
const socket = require('node:net').connect({ host, port: Number(port), timeout: 3000 });
socket.once('connect', () => process.exit(0));
socket.once('timeout', () => process.exit(3));
socket.once('error', (err) => process.exit(err.code === 'ECONNREFUSED' || err.code === 'EHOSTUNREACH' ? 3 : 4));
`;

/** Whether a connection comes about. @throws Error where the question itself failed, as when a name has no address */
async function connects({ from, to, port }: Flow): Promise<boolean> {
  const where = from === 'unknown' ? 'unknown' : `deploy/${from}`;
  const { code, stderr } = await exec(where, from, ['node', '--eval', program, to, String(port)]);
  if (code === 0) return true;
  if (code === 3) return false;
  throw new Error(`the connection could not be tried (${code}): ${stderr.slice(0, 200)}`);
}

function describe({ from, to, port }: Flow): string {
  return `${from} → ${to}:${port}`;
}
