import { connectAs, waitFor } from '@casewatch/testing';
import { afterEach, beforeEach } from '@jest/globals';
import { secretSha256 } from '../../src/credentials/api-key.ts';
import { startTestNotifier, type TestNotifier } from './notifier.ts';
import { runCommand } from './people.ts';
import {
  pepper,
  type Servers,
  startServers,
  startTestIdentity,
  type TestIdentity,
} from './start-identity.ts';

/** The pepper before and after; a ring is one or both. */
export const former = pepper;
export const next = 'the-pepper-that-takes-its-place:9876543210';

type Pair = { api_key: string; api_secret: string };

export type PepperStatus = {
  peppers: {
    id: string | null;
    state: string;
    keys: number;
    signing_keys: number;
    second_factors: number;
    sessions: number;
  }[];
  keys_to_carry_over: { id: number; partner_id: number }[];
  nothing_on_former: boolean;
};

/** One database and bus for replicas with different rings, beside or after each other. */
export type Rotation = {
  readonly notifier: TestNotifier;
  /** One replica more. */
  start(ring: string): Promise<TestIdentity>;
  /** Stops those that run, and starts one. */
  restart(ring: string): Promise<TestIdentity>;
  /** Shows a key's secret on the bus, to whichever replica answers. */
  authenticate(pair: Pair): Promise<string>;
  /** The token of the last mail of this kind to an address. */
  tokenIn(kind: 'verify_email' | 'address_changed', to: string): Promise<string>;
};

/** Before each test: servers of its own, without a replica; after it, all stopped. */
export function usePepperRotation(ready: (rotation: Rotation) => void): void {
  const stops: (() => Promise<void>)[] = [];
  beforeEach(async () => {
    const servers = await startServers();
    stops.push(async () => {
      await Promise.all([servers.mongo.stop(), servers.nats.stop()]);
    });
    const notifier = await startTestNotifier(servers.nats);
    stops.push(() => notifier.stop());
    const replicas = new Set<TestIdentity>();
    const stopAll = async () => {
      await Promise.all([...replicas].map((replica) => replica.stop()));
      replicas.clear();
    };
    stops.push(stopAll);
    ready(rotationOf(servers, notifier, { replicas, stopAll }));
  });
  afterEach(async () => {
    for (const stop of stops.splice(0).reverse()) await stop();
  });
}

type Running = { replicas: Set<TestIdentity>; stopAll(): Promise<void> };

function rotationOf(servers: Servers, notifier: TestNotifier, { replicas, stopAll }: Running): Rotation {
  async function start(ring: string): Promise<TestIdentity> {
    const replica = await startTestIdentity({ SECRET_PEPPER: ring }, {}, servers);
    replicas.add(replica);
    return replica;
  }
  return {
    notifier,
    start,
    async restart(ring) {
      await stopAll();
      return await start(ring);
    },
    async authenticate({ api_key, api_secret }) {
      const gateway = await connectAs(servers.nats, 'gateway');
      const asked = { api_key, secret_sha256: secretSha256(api_secret), address: '203.0.113.7' };
      try {
        return (await gateway.request('identity.authenticate', asked)).principal.key_id;
      } finally {
        await gateway.stop();
      }
    },
    async tokenIn(kind, to) {
      const mail = await waitFor(
        () => notifier.sent.findLast((sent) => sent.kind === kind && sent.to === to),
        {
          what: `a mail ${kind}`,
        },
      );
      return new URL('link' in mail ? mail.link : '').searchParams.get('token') ?? '';
    },
  };
}

/** What `secret-pepper status` says where the ring is this one. */
export async function statusOf(identity: TestIdentity, ring: string): Promise<PepperStatus> {
  const { code, out, err } = await runCommand(identity, ['secret-pepper', 'status', '--json'], {
    SECRET_PEPPER: ring,
  });
  if (code !== 0) throw new Error(err);
  return JSON.parse(out) as PepperStatus;
}
