import { mkdirSync, writeFileSync } from 'node:fs';
import { connect, createServer, type Server } from 'node:net';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { createPartner, type DevFile, type Partner } from '@casewatch/driver';
import { identityAdmin } from '../kit/identity-admin.ts';
import { kubectl } from '../kit/kubectl.ts';
import { rolledOut } from '../kit/rollouts.ts';
import { again, until } from '../kit/wait.ts';
import { ROOT, type Settings, VERIFY } from './settings.ts';

export type RemoteSystem = {
  dev: DevFile;
  /** The demo's partner, who repeats a request until it succeeds. */
  partner: Partner;
  /** The gateway's address for load, without the forwarded port. */
  gatewayAtNode: string;
  dataDir: string;
  close(): void;
};

/** Ports on this machine's loopback, as in PUBLIC_URL and FORWARD of overlays/verify, and on the node. */
const ports = {
  gateway: [14000, 30400],
  mail: [14006, 30406],
  uscis: [14008, 30408],
  twilio: [14009, 30409],
  receiver: [14010, 30410],
} as const;

/** Forwards ports, so that the system has the same addresses here and in its pods: links in mails and callbacks use them. */
export async function reach({ nodeAddress }: Settings, say: (line: string) => void): Promise<RemoteSystem> {
  await provideNodePorts(say);
  const address = nodeAddress ?? (await firstNode());
  const servers = await Promise.all(Object.values(ports).map(([near, far]) => forward(near, address, far)));
  const at = (name: keyof typeof ports) => `http://127.0.0.1:${ports[name][0]}`;
  const dev: DevFile & { services: object } = {
    gateway_url: at('gateway'),
    mail_url: at('mail'),
    uscis_url: at('uscis'),
    twilio_url: at('twilio'),
    receiver_url: at('receiver'),
    ...(await seedPartners()),
    services: {},
  };
  const dataDir = join(ROOT, '.data/cluster');
  mkdirSync(dataDir, { recursive: true });
  writeFileSync(join(dataDir, 'dev.json'), JSON.stringify(dev), { mode: 0o600 });
  const gatewayAtNode = `http://${address}:${ports.gateway[1]}`;
  const partner = createPartner(dev, dev.partner, { ...again, timeoutMs: 180_000 });
  return { dev, partner, gatewayAtNode, dataDir, close: () => servers.map((server) => server.close()) };
}

/** Replaces a demonstration without NodePorts by the overlay of the load test. `release-roll` has deployed that of its release. */
async function provideNodePorts(say: (line: string) => void): Promise<void> {
  const type = await kubectl(['get', 'service', 'gateway', '--output', 'jsonpath={.spec.type}']);
  if (type === 'NodePort') return;
  say('the overlay of the load test replaces the demonstration …');
  await kubectl(['apply', '--kustomize', VERIFY]);
  await rolledOut(600_000, say);
}

async function firstNode(): Promise<string> {
  const path = '{.items[0].status.addresses[?(@.type=="InternalIP")].address}';
  return (await kubectl(['get', 'nodes', '--output', `jsonpath=${path}`])).trim();
}

/** The demo's two partners, by identity's own command; the same keys at every call. */
function seedPartners(): Promise<Pick<DevFile, 'partner' | 'other_partner'>> {
  const seed = () => identityAdmin<Pick<DevFile, 'partner' | 'other_partner'>>(['seed-demo']);
  return until(seed, { what: "the demo's partners", timeoutMs: 120_000 });
}

async function forward(near: number, host: string, far: number): Promise<Server> {
  const server = createServer((client) => {
    const remote = connect({ host, port: far });
    void Promise.all([pipeline(client, remote), pipeline(remote, client)]).catch(() => {
      client.destroy();
      remote.destroy();
    });
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(near, '127.0.0.1', resolve);
  });
  return server;
}
