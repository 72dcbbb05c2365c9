import { idlePod } from '../../kit/idle-pod.ts';
import { exec, kubectl } from '../../kit/kubectl.ts';
import { until } from '../../kit/wait.ts';
import type { Check } from '../check.ts';

/** From a pod of a deployment to an address; `unknown` is a pod that no policy names. */
type NetworkFlow = { from: string; to: string; port: number };

/** These flows show that the targets below are running. */
const allowed: NetworkFlow[] = [
  { from: 'gateway', to: 'identity', port: 443 },
  { from: 'gateway', to: 'cases', port: 443 },
  { from: 'cases', to: 'nats', port: 4222 },
  { from: 'cases', to: 'mongodb-0.mongodb', port: 27017 },
  { from: 'monitor', to: 'sandbox', port: 4008 },
  { from: 'webhooks', to: 'sandbox', port: 4010 },
];

const forbidden: NetworkFlow[] = [
  // Another team's pod reaches only the public address.
  { from: 'unknown', to: 'identity', port: 443 },
  { from: 'unknown', to: 'mongodb-0.mongodb', port: 27017 },
  { from: 'unknown', to: 'nats', port: 4222 },
  // The gateway stores nothing; services meet on the bus alone.
  { from: 'gateway', to: 'mongodb-0.mongodb', port: 27017 },
  { from: 'cases', to: 'identity', port: 443 },
  // A partner's endpoint address cannot make webhooks call one of our services.
  { from: 'webhooks', to: 'identity', port: 443 },
  { from: 'monitor', to: 'identity', port: 443 },
  // Only some services may leave the cluster.
  { from: 'cases', to: 'sandbox', port: 4008 },
];

export const forbiddenFlows: Check = {
  name: 'network-policies',
  promise: 'network policies enforced: forbidden flows refused, the others not',
  async run({ say }) {
    const pod = idlePod({
      name: 'unknown',
      image: 'casewatch/sandbox:dev',
      user: 10001,
      command: ['node', '--eval', 'setInterval(() => {}, 60000)'],
      memoryLimit: '128Mi',
    });
    await kubectl(['apply', '--filename', '-'], { input: JSON.stringify(pod) });
    try {
      await kubectl(['wait', 'pod/unknown', '--for=condition=Ready', '--timeout=120s']);
      for (const flow of allowed)
        await until(() => connects(flow), { what: `${describe(flow)} to connect`, timeoutMs: 60_000 });
      const open: string[] = [];
      for (const flow of forbidden) {
        // A policy engine needs a moment for a new pod.
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

/** Whether a connection is established. @throws Error if it could not be tried, as when a name has no address */
async function connects({ from, to, port }: NetworkFlow): Promise<boolean> {
  const pod = from === 'unknown' ? 'unknown' : `deploy/${from}`;
  const { code, stderr } = await exec(pod, from, ['node', '--eval', program, to, String(port)]);
  if (code === 0) return true;
  if (code === 3) return false;
  throw new Error(`the connection could not be tried (${code}): ${stderr.slice(0, 200)}`);
}

function describe({ from, to, port }: NetworkFlow): string {
  return `${from} → ${to}:${port}`;
}
