import { mkdirSync, writeFileSync } from 'node:fs';
import { connect, createServer, type Server } from 'node:net';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { createPartner, type DevFile, type Partner } from '@casewatch/driver';
import { kubectl } from './kubectl.ts';
import { identityAdmin } from './rotations/identity-admin.ts';
import { ROOT, type Settings } from './settings.ts';
import { again, until } from './wait.ts';

/** A system that can be used from here. */
export type Reached = {
  dev: DevFile;
  /** The demo's partner, who asks again until the system answers well. */
  partner: Partner;
  /** The gateway without a detour over this machine's loopback, for load. */
  gatewayAtNode: string;
  /** Folder that holds dev.json. */
  dataDir: string;
  close(): void;
};

/** Ports on this machine's loopback, as overlays/verify has them in PUBLIC_URL and FORWARD, and on the node. */
const ports = { gateway: [14000, 30400], mail: [14006, 30406], uscis: [14008, 30408] } as const;
const morePorts = { twilio: [14009, 30409], receiver: [14010, 30410] } as const;

/**
 * Makes the system usable from this machine under the addresses that it gives itself: links in mails and callbacks
 * lead to the same ones inside the pods.
 */
export async function reach({ nodeAddress }: Settings): Promise<Reached> {
  const address = nodeAddress ?? (await firstNode());
  const all = { ...ports, ...morePorts };
  const servers = await Promise.all(Object.values(all).map(([near, far]) => forward(near, address, far)));
  const at = (name: keyof typeof all) => `http://127.0.0.1:${all[name][0]}`;
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
  return { dev, partner, gatewayAtNode, dataDir, close: () => closeAll(servers) };
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
    const there = connect({ host, port: far });
    void Promise.all([pipeline(client, there), pipeline(there, client)]).catch(() => {
      client.destroy();
      there.destroy();
    });
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(near, '127.0.0.1', resolve);
  });
  return server;
}

function closeAll(servers: Server[]): void {
  for (const server of servers) server.close();
}
