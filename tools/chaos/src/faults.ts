/**
 * The nemesis: every kind of fault with what it hits, how it is injected and healed, and the proof of its effect. A fault without a
 * proved effect is not counted.
 */
import { execFile } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { cpSync, existsSync, readFileSync, rmSync, statfsSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import { type AddressInfo, connect as connectTcp } from 'node:net';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { promisify } from 'node:util';
import { events, type ServiceName, serviceNames } from '@casewatch/contracts';
import { keyHeaders, readJson, tell, until } from '@casewatch/driver';
import { type JetStreamManager, jetstream, jetstreamManager } from '@nats-io/jetstream';
import { connect, headers } from '@nats-io/transport-node';
import type { Ledgers } from './ledgers.ts';
import type { Load } from './load.ts';
import { createSideEffectKills, type Effects, ownerOf } from './side-effects.ts';
import { adminCommand, answering, type Member, type System, signal } from './system.ts';

export type Fault = {
  kind: string;
  /** Names of members and links; `*`: everything. */
  targets: string[];
  holdMs: number;
  inject(): Promise<void>;
  /** Whether anything met the fault: where little is under way, it is held until something did, for half a minute at most. */
  isMet?(): Promise<boolean>;
  heal(): Promise<void>;
  /** Asked after `heal`. @returns how the effect was seen; null: it was not */
  effect(): Promise<string | null>;
};

export type Nemesis = {
  /** Kinds that this machine cannot do, with the reason. */
  missing: Map<string, string>;
  kinds: readonly string[];
  /** After which side effects processes were killed. */
  effects: Effects;
  /**
   * Up to `most` faults that happen together: no two on one thing. Kinds take turns.
   * @param only kinds whose name has this text
   */
  next(most: number, only: string): Fault[];
};

type Options = { system: System; load: Load; ledgers: Ledgers; random: (below: number) => number };
type Make = () => Fault;

const second = 1_000;
/** 90 minutes at the scale of EVENTS_RETRY_SCALE. */
const awayMs = 60 * second;

export function createNemesis(options: Options): Nemesis {
  const effects: Effects = new Map();
  const makes = catalog(options, effects);
  const missing = new Map<string, string>();
  for (const [kind, make] of Object.entries(makes)) if (typeof make === 'string') missing.set(kind, make);
  const possible = Object.entries(makes).flatMap(([kind, make]): [string, Make][] =>
    typeof make === 'string' ? [] : [[kind, make]],
  );
  let order: [string, Make][] = [];
  return {
    missing,
    effects,
    kinds: possible.map(([kind]) => kind),
    next(most, only) {
      const wanted = possible.filter(([kind]) => kind.includes(only));
      if (wanted.length === 0) throw new Error(`no kind of fault has "${only}" in its name`);
      const faults: Fault[] = [];
      const left: [string, Make][] = [];
      const hit = new Set<string>();
      const choose = (entries: readonly [string, Make][]) => {
        for (const entry of entries) {
          const fault = faults.length < most ? entry[1]() : null;
          const things = fault ? thingsOf(fault) : [];
          if (fault === null || things.some((thing) => hit.has(thing))) left.push(entry);
          else {
            faults.push(fault);
            for (const thing of things) hit.add(thing);
          }
        }
      };
      choose(order);
      // The last of a round are often on one thing: the next round lends the others.
      if (faults.length < most && left.length < wanted.length) choose(shuffled(wanted, options.random));
      order = left;
      return faults;
    },
  };
}

/** What the monitor needs for a check. */
const neededForChecks = ['monitor', 'mongod', 'nats', 'USCIS'];

/**
 * The things that a fault hits: all mongods are one thing, and all nats-servers with the routes between them. While the clock of a
 * monitor or a mongod is wrong, checks must go on (I7): nothing else may stop them.
 */
function thingsOf({ kind, targets }: Fault): string[] {
  const things = targets.map((target) =>
    target.replace(/[-\d]+$|(?<=^hook) .*/g, '').replace('route', 'nats'),
  );
  const isClockOfChecks = kind.startsWith('clock') && things.some((thing) => neededForChecks.includes(thing));
  return isClockOfChecks ? [...things, ...neededForChecks] : things;
}

function shuffled<T>(list: readonly T[], random: (below: number) => number): T[] {
  return list
    .map((value) => ({ value, at: random(1_000_000) }))
    .sort((one, other) => one.at - other.at)
    .map(({ value }) => value);
}

/** By kind: what makes a fault, or the reason why this machine cannot do it. */
function catalog(
  { system, load, ledgers, random }: Options,
  effects: Effects,
): Record<string, Make | string> {
  const { members, links, addresses } = system;
  const pick = <T>(list: readonly T[]): T => {
    const value = list[random(list.length)];
    if (value === undefined) throw new Error('nothing to choose from');
    return value;
  };
  const of = (kind: Member['kind']) => members.filter((member) => member.kind === kind);
  const between = (low: number, high: number) => (low + random(high - low + 1)) * second;
  const linkOf = (name: string) => {
    const found = links.get(name);
    if (found === undefined) throw new Error(`there is no link ${name}`);
    return found;
  };
  const names = (list: readonly Member[]) => list.map(({ name }) => name);

  /** Ends processes and keeps them away for a time. */
  function kill(
    kind: string,
    targets: readonly Member[],
    holdMs: number,
    by: NodeJS.Signals = 'SIGKILL',
  ): Fault {
    const before = new Map(targets.map((member) => [member, member.pid()]));
    let releases: (() => void)[] = [];
    let gone = 0;
    return {
      kind,
      targets: names(targets),
      holdMs,
      async inject() {
        releases = targets.map((member) => member.holdDown());
        const alive = () => [...before.values()].filter((pid) => stateOf(pid) !== null);
        // The second, as after the grace period of a pod, meets only what has not ended.
        for (const name of [by, 'SIGKILL'] as const) {
          for (const pid of alive()) signal(pid, name);
          const ended = () => alive().length === 0;
          await until(ended, { timeoutMs: 20 * second, what: 'the end' }).catch(() => undefined);
        }
        gone = targets.length - alive().length;
      },
      async heal() {
        for (const release of releases) release();
        const isBack = () => targets.every((member) => member.pid() !== before.get(member));
        await until(isBack, { timeoutMs: 60 * second, what: 'the restart' });
      },
      effect: async () => (gone === targets.length ? `${gone} processes ended and came back` : null),
    };
  }

  /** Ends processes of a service right after a side effect, up to three times. */
  function killBetween(name: ServiceName): Fault {
    const kills = createSideEffectKills(system, effects);
    let after: string[] = [];
    return {
      kind: `kill -9 ${name} between side effects`,
      targets: names(of(name)),
      holdMs: 14 * second,
      inject: async () => kills.start(name, 3),
      async heal() {
        after = kills.stop();
      },
      effect: async () => (after.length > 0 ? `ended right after: ${after.join(', ')}` : null),
    };
  }

  /** Stops processes without ending them. */
  function freeze(kind: string, targets: readonly Member[], holdMs: number): Fault {
    const pids = targets.map(({ pid }) => pid());
    let stopped = 0;
    let cpu = 0;
    const ticks = () => pids.reduce((sum, pid) => sum + (stateOf(pid)?.ticks ?? 0), 0);
    return {
      kind,
      targets: names(targets),
      holdMs,
      async inject() {
        for (const pid of pids) signal(pid, 'SIGSTOP');
        await delay(100);
        cpu = ticks();
      },
      async heal() {
        stopped = pids.filter((pid) => stateOf(pid)?.state === 'T').length;
        cpu = ticks() - cpu;
        for (const pid of pids) signal(pid, 'SIGCONT');
      },
      effect: async () =>
        stopped === pids.length && cpu === 0 ? `${stopped} processes stood still for ${holdMs} ms` : null,
    };
  }

  type Break = 'cut' | 'freeze' | number;
  function network(kind: string, linkNames: readonly string[], how: Break, holdMs: number): Fault {
    const broken = linkNames.map(linkOf);
    let hit = 0;
    const passed = () => broken.reduce((sum, link) => sum + link.pieces(), 0);
    return {
      kind,
      targets: [...linkNames],
      holdMs,
      async inject() {
        hit = 0;
        for (const link of broken) {
          if (how === 'cut') hit += link.cut();
          else if (how === 'freeze') hit += link.freeze();
          else link.slow(how);
        }
        if (typeof how === 'number') hit = -passed();
      },
      async heal() {
        if (typeof how === 'number') hit += passed();
        for (const link of broken) link.heal();
      },
      effect: async () =>
        hit > 0 ? `${hit} ${typeof how === 'number' ? 'pieces of data waited' : 'connections hit'}` : null,
    };
  }

  /** A stand-in answers in another way. Its link counts what arrived meanwhile. */
  function standIn(
    kind: string,
    linkName: string,
    url: string,
    fault: object,
    holdMs = between(4, 12),
  ): Fault {
    const link = linkOf(linkName);
    let before = 0;
    let pieces = 0;
    return {
      kind,
      targets: [linkName],
      holdMs,
      async inject() {
        await tell(url, fault);
        before = link.pieces();
      },
      isMet: async () => link.pieces() > before,
      async heal() {
        pieces = link.pieces() - before;
        await tell(url, { mode: 'none' });
      },
      effect: async () => (pieces > 0 ? `${pieces} pieces of data met the answer` : null),
    };
  }

  /** Its own log says which requests met the fault, or were sent with a token that is no longer accepted. */
  function government(kind: string, path: string, fault: object, none: object): Fault {
    const url = addresses.uscis_url;
    type Row = { time: string; status: number; fault: string | null };
    let startedAt = '';
    /** How many requests met it. */
    const met = async () => {
      const rows = await readJson<Row[]>(`${url}/sandbox/requests`);
      return rows.filter(
        ({ time, status, fault: name }) => time >= startedAt && (name !== null || status === 401),
      ).length;
    };
    return {
      kind,
      targets: ['USCIS'],
      holdMs: between(4, 12),
      async inject() {
        startedAt = new Date().toISOString();
        await tell(`${url}${path}`, fault);
      },
      isMet: async () => (await met()) > 0,
      heal: () => tell(`${url}${path}`, none),
      async effect() {
        const hit = await met();
        return hit > 0 ? `${hit} requests met the answer` : null;
      },
    };
  }

  function endpoint(kind: string, settings: object): Fault {
    const { hook } = pick(load.endpoints.filter((one) => one.kind === 'odd'));
    const control = `${addresses.receiver_url}/sandbox/hooks/${hook}`;
    const calls = async () => (await readJson<unknown[]>(control)).length;
    let before = 0;
    let met = 0;
    return {
      kind,
      targets: [`hook ${hook}`],
      holdMs: between(4, 12),
      async inject() {
        before = await calls();
        await tell(control, settings);
      },
      isMet: async () => (await calls()) > before,
      async heal() {
        met = (await calls()) - before;
        await tell(control, { mode: null, status: null, headers: null, body: null, delay_ms: null });
      },
      effect: async () => (met > 0 ? `${met} calls got the answer` : null),
    };
  }

  /** Moves the clocks of processes without moving what they measure durations by. */
  function clock(
    kind: string,
    targets: readonly Member[],
    offsetMinutes: number,
    holdMs = between(8, 20),
  ): Fault {
    let seen = 0;
    const setAll = (minutes: number) => {
      for (const { clockFile } of targets)
        if (clockFile) writeFileSync(clockFile, `${minutes < 0 ? '' : '+'}${minutes * 60}`);
    };
    return {
      kind,
      targets: names(targets),
      holdMs,
      inject: async () => setAll(offsetMinutes),
      async heal() {
        const offsets = await Promise.all(targets.map(offsetOf));
        seen = offsets.filter((minutes) => Math.abs(minutes - offsetMinutes) < 2).length;
        setAll(0);
        // As the runbook of ClockDiffers says: a clock that was set back stops what ends abandoned transactions until it is as late again.
        const mongods = of('mongod').filter((member) => targets.includes(member));
        const restarted = kill(kind, mongods, 0, 'SIGTERM');
        await restarted.inject();
        await restarted.heal();
      },
      effect: async () =>
        seen === targets.length ? `${seen} clocks were ${offsetMinutes} minutes off` : null,
    };
  }

  async function operatorsManager<T>(
    work: (manager: JetStreamManager, access: Awaited<ReturnType<typeof connect>>) => Promise<T>,
  ) {
    const connection = await connect({ servers: system.natsUrls, ...system.operator, timeout: 5 * second });
    try {
      return await work(await jetstreamManager(connection, { timeout: 10 * second }), connection);
    } finally {
      await connection.close();
    }
  }

  /** Streams with events that services react to. */
  const eventStreams = async (manager: JetStreamManager) => {
    const found: string[] = [];
    for await (const { config, state } of manager.streams.list())
      if (!config.name.startsWith('DEAD_') && state.messages > 0) found.push(config.name);
    return found.sort();
  };

  function wipedStream(): Fault {
    let seen: string | null = null;
    return {
      kind: 'stream wiped',
      targets: ['nats'],
      holdMs: 6 * second,
      inject: () =>
        operatorsManager(async (manager) => {
          const name = pick(await eventStreams(manager));
          const { created, state } = await manager.streams.info(name);
          await manager.streams.delete(name);
          seen = `${name} of ${created} with ${state.messages} messages`;
        }),
      heal: async () => undefined,
      effect: async () => seen,
    };
  }

  /** All three nats-servers go back to a copy of their store that is some seconds old. */
  function cutShort(): Fault {
    const all = of('nats');
    const copies = all.map(({ dataDir = '' }) => `${dataDir}.copy`);
    let copied = 0;
    let lost = 0;
    const lastSequences = () =>
      operatorsManager(async (manager) => {
        let sum = 0;
        for await (const { state } of manager.streams.list()) sum += state.last_seq;
        return sum;
      });
    const whileDown = async (work: () => void) => {
      const down = kill('', all, 0, 'SIGTERM');
      await down.inject();
      work();
      await down.heal();
      const isThere = () => lastSequences().then(() => true);
      await until(isThere, { timeoutMs: 60 * second, what: 'the streams', retryIf: () => true });
    };
    return {
      kind: 'stream cut short',
      targets: ['nats'],
      holdMs: 0,
      async inject() {
        copied = await lastSequences();
        await whileDown(() => {
          for (const [i, { dataDir = '' }] of all.entries())
            cpSync(dataDir, copies[i] ?? '', { recursive: true });
        });
        await delay(between(6, 12));
        // What came between the first look and the copy is in it: at most some of the loss is missing in this number.
        lost = (await lastSequences()) - copied;
        await whileDown(() => {
          for (const [i, { dataDir = '' }] of all.entries()) {
            rmSync(dataDir, { recursive: true });
            cpSync(copies[i] ?? '', dataDir, { recursive: true });
          }
        });
      },
      async heal() {
        for (const copy of copies) rmSync(copy, { recursive: true, force: true });
      },
      effect: async () => (lost > 0 ? `the streams went back by some ${lost} messages` : null),
    };
  }

  /** Takes the newest messages of a stream and publishes them again, in another order and under other ids of the bus. */
  function duplicates(): Fault {
    let published = 0;
    return {
      kind: 'duplicates and reordering on the bus',
      targets: ['nats'],
      holdMs: 0,
      inject: () =>
        operatorsManager(async (manager, connection) => {
          const name = pick(await eventStreams(manager));
          const { state } = await manager.streams.info(name);
          const js = jetstream(connection);
          for (let i = 0; i < 20; i++) {
            const seq = state.last_seq - random(Math.min(50, Math.max(1, state.messages)));
            const message = await manager.streams.getMessage(name, { seq });
            if (message === null) continue;
            const fields = headers();
            for (const [key, values] of message.header ?? [])
              if (!key.startsWith('Nats-')) for (const value of values) fields.append(key, value);
            await js.publish(message.subject, message.data, { headers: fields, msgID: randomUUID() });
            published++;
          }
        }),
      heal: async () => undefined,
      effect: async () => (published > 0 ? `${published} messages published again` : null),
    };
  }

  function poison(): Fault {
    let published = 0;
    return {
      kind: 'poison on the bus',
      targets: ['nats'],
      holdMs: 0,
      inject: () =>
        operatorsManager(async (manager, connection) => {
          const name = pick(await eventStreams(manager));
          const { config } = await manager.streams.info(name);
          // Not an empty one: it ends pulls across accounts (outbox/outbox.ts publishes none).
          const bodies = ['{"half":', 'null', '{"id":7}', '\u0000\u0001'];
          for (const body of bodies) {
            const subject = pick(config.subjects ?? []);
            await jetstream(connection).publish(subject, body, { msgID: randomUUID() });
            ledgers.expectedDead += readersOf(subject);
            published++;
          }
        }),
      heal: async () => undefined,
      effect: async () => (published > 0 ? `${published} messages that no schema takes` : null),
    };
  }

  /** One nats-server has no room left on its disk. An operator makes room and starts it again. */
  function fullDisk(): Fault {
    const member = pick(of('nats'));
    const { dataDir = '' } = member;
    const run = promisify(execFile);
    let seen: string | null = null;
    const complaint = () => {
      const log = readFileSync(join(system.folder, 'logs', `${member.name}.log`), 'utf8');
      return /no space left|insufficient storage|resource limits exceeded/i.exec(log.slice(-200_000))?.[0];
    };
    const down = (work: () => Promise<unknown>) => async () => {
      const away = kill('', [member], 0, 'SIGTERM');
      await away.inject();
      await work();
      await away.heal();
    };
    return {
      kind: 'disk full (nats-server)',
      targets: [member.name],
      holdMs: between(8, 15),
      inject: down(async () => {
        // The store moves to a file system of a few MiB more than it needs.
        const { stdout } = await run('du', ['-sm', dataDir]);
        cpSync(dataDir, `${dataDir}.disk`, { recursive: true });
        await run('mount', [
          '-t',
          'tmpfs',
          '-o',
          `size=${Number.parseInt(stdout, 10) + 2}m`,
          'tmpfs',
          dataDir,
        ]);
        cpSync(`${dataDir}.disk`, dataDir, { recursive: true });
        const { bavail, bsize } = statfsSync(dataDir);
        writeFileSync(join(dataDir, 'filler'), Buffer.alloc(Math.max(0, (bavail - 1) * bsize)));
      }),
      isMet: async () => complaint() !== undefined,
      heal: async () => {
        const { bavail } = statfsSync(dataDir);
        const said = complaint();
        seen = said ? `${bavail} free blocks; nats-server said: ${said}` : null;
        rmSync(join(dataDir, 'filler'), { force: true });
        await down(async () => {
          rmSync(`${dataDir}.disk`, { recursive: true });
          cpSync(dataDir, `${dataDir}.disk`, { recursive: true });
          await run('umount', [dataDir]);
          rmSync(dataDir, { recursive: true, force: true });
          cpSync(`${dataDir}.disk`, dataDir, { recursive: true });
          rmSync(`${dataDir}.disk`, { recursive: true });
        })();
      },
      effect: async () => seen,
    };
  }

  /** An endpoint by whose answer the calling process ends, three times; then it answers like others. */
  function deadlyEndpoint(): Fault {
    let server: Server | undefined;
    let kills = 0;
    let created: { id: number } | undefined;
    const as = keyHeaders(system.partners[1] ?? { api_key: '', api_secret: '' });
    return {
      kind: 'receiver whose answer ends the process',
      targets: ['webhooks'],
      holdMs: between(10, 20),
      async inject() {
        server = createServer((req, res) => {
          const pid = kills < 3 ? ownerOf(req.socket.remotePort ?? 0, of('webhooks')) : undefined;
          if (pid === undefined) res.end('{}');
          else if (signal(pid, 'SIGKILL')) kills++;
        });
        await new Promise<void>((resolve) => server?.listen(0, '127.0.0.1', resolve));
        const { port } = server.address() as AddressInfo;
        const body = { url: `http://127.0.0.1:${port}/`, events: ['case.status_updated'] };
        const answer = await load.ask('create webhook', 'POST', '/v1/webhooks', { as, body });
        created = answer.body.webhook as typeof created;
      },
      isMet: async () => kills > 0,
      async heal() {
        if (created) {
          const gone = () =>
            load
              .ask('delete webhook', 'DELETE', `/v1/webhooks/${created?.id}`, {
                as,
                rightly: ['webhook_not_found'],
              })
              .then(({ status }) => status > 0 && status < 500);
          await until(gone, { timeoutMs: 60 * second, what: 'the deletion of the endpoint' });
        }
        server?.closeAllConnections();
        server?.close();
      },
      effect: async () => (kills > 0 ? `${kills} processes ended by it` : null),
    };
  }

  /** What no client sends: garbage, slow headers, bodies of 50 MB. */
  function hostile(): Fault {
    const { hostname, port } = new URL(addresses.gateway_url);
    let answered = 0;
    const raw = (...pieces: (string | Buffer)[]) =>
      new Promise<void>((resolve) => {
        const socket = connectTcp({ host: hostname, port: Number(port), timeout: 8 * second });
        socket.on('connect', () => {
          for (const piece of pieces) socket.write(piece);
        });
        socket.on('data', (chunk) => {
          if (/^HTTP\/1\.1 4\d\d/.test(chunk.toString('latin1'))) answered++;
          socket.destroy();
        });
        socket.on('timeout', () => socket.destroy());
        socket.on('error', () => {});
        socket.on('close', () => resolve());
      });
    const big = Buffer.alloc(50_000_000, 'x');
    const head = 'POST /v1/check HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\n';
    const wrong = [
      'GET / HTTP/9.9\r\n\r\n',
      '\u0000\u0001\u0002\r\n\r\n',
      `${head}content-length: 5\r\n\r\n{{{{{`,
      `${head}content-length: x\r\n\r\n`,
      `${head}transfer-encoding: chunked\r\ncontent-length: 4\r\n\r\nzz\r\n`,
      `GET /v1/users/%00 HTTP/1.1\r\nhost: x\r\n\r\n`,
      `GET /v1/client/cases?limit=x HTTP/1.1\r\nhost: x\r\n\r\n`,
      `GET / HTTP/1.1\r\n${'x-long: y\r\n'.repeat(3_000)}\r\n`,
    ];
    return {
      kind: 'malformed requests, 50 MB bodies, slow headers',
      targets: ['hostile clients'],
      holdMs: 0,
      async inject() {
        const slow = Array.from({ length: 20 }, () => raw('GET / HTTP/1.1\r\nhost: '));
        for (let i = 0; i < 125; i++) await Promise.all(wrong.map((text) => raw(text)));
        await raw(`${head}content-length: ${big.length}\r\n\r\n`, big);
        await Promise.all(slow);
      },
      heal: async () => undefined,
      effect: async () => (answered > 0 ? `${answered} of 1,001 refused with 4xx` : null),
    };
  }

  /** A sibling is away for 90 scaled minutes while statuses change fast. */
  function siblingAway(): Fault {
    const away = pick(['identity', 'cases'] as const);
    const base = freeze('sibling away, many events', of(away), awayMs);
    let reached = 0;
    let burst = Promise.resolve(0);
    return {
      ...base,
      async inject() {
        await base.inject();
        burst = load.burst(100, awayMs - second);
      },
      async heal() {
        reached = await burst;
        await base.heal();
      },
      async effect() {
        const seen = await base.effect();
        return seen && `${seen}, with ${reached.toFixed(0)} changes a second`;
      },
    };
  }

  const uscis = (kind: string, fault: object) => () =>
    government(`USCIS: ${kind}`, '/sandbox/faults', fault, { mode: 'none' });
  const tokens = (kind: string, fault: object) => () =>
    government(`USCIS tokens: ${kind}`, '/sandbox/tokens', { revoke: true, ...fault }, {});
  const smtp = (kind: string, fault: object) => () =>
    standIn(`SMTP: ${kind}`, 'smtp', `${addresses.mail_url}/sandbox/faults`, fault);
  const twilio = (kind: string, fault: object) => () =>
    standIn(`Twilio: ${kind}`, 'twilio', `${addresses.twilio_url}/sandbox/faults`, fault);
  const clocks = (kind: string, list: readonly Member[], some: readonly Member[] = [pick(list)]) => {
    const name = `clock of ${kind} an hour off`;
    const isMovable = list.every(({ clockFile }) => clockFile !== undefined);
    return isMovable ? () => clock(name, some, pick([-60, 60])) : 'libfaketime (Debian: faketime) is missing';
  };
  const primary = async () => {
    for (const { port, name } of of('mongod')) {
      const url = `mongodb://127.0.0.1:${port}/?directConnection=true`;
      if ((await adminCommand(url, { hello: 1 }).catch(() => ({}) as never)).isWritablePrimary)
        return { name, url };
    }
    return undefined;
  };
  const election = (): Fault => {
    let before: string | undefined;
    let after: string | undefined;
    return {
      kind: 'election: the primary steps down',
      targets: ['mongod'],
      holdMs: 3 * second,
      async inject() {
        const now = await primary();
        before = now?.name;
        if (now)
          await adminCommand(now.url, {
            replSetStepDown: 10,
            secondaryCatchUpPeriodSecs: 0,
            force: true,
          }).catch(() => undefined);
      },
      async heal() {
        after = (await until(primary, { timeoutMs: 30 * second, what: 'a primary', retryIf: () => true }))
          .name;
      },
      effect: async () => (before !== after ? `${before} gave way to ${after}` : null),
    };
  };
  const noDisk =
    process.getuid?.() === 0 && existsSync('/usr/bin/mount') ? null : 'only root can mount a small disk';
  const all = (kind: string) => [...links.keys()].filter((name) => name.startsWith(kind));
  const machine = (index: number) => members.filter((member) => member.index === index);

  return {
    ...Object.fromEntries(
      serviceNames.flatMap((name): [string, Make][] => [
        [`kill -9 ${name}`, () => kill(`kill -9 ${name}`, [pick(of(name))], random(4) * second)],
        [`freeze ${name}`, () => freeze(`freeze ${name}`, [pick(of(name))], between(5, 25))],
        ...(name === 'gateway'
          ? [] // It stores and sends nothing.
          : [[`kill -9 ${name} between side effects`, () => killBetween(name)] as [string, Make]]),
      ]),
    ),
    'restart of a service': () => kill('restart of a service', [pick(of(pick(serviceNames)))], 0, 'SIGTERM'),
    'kill -9 both of a service': () =>
      kill('kill -9 both of a service', of(pick(serviceNames)), between(2, 8)),
    'kill -9 mongod': () => kill('kill -9 mongod', [pick(of('mongod'))], between(0, 15)),
    'kill -9 nats-server': () => kill('kill -9 nats-server', [pick(of('nats'))], between(0, 15)),
    'restart of mongod': () => kill('restart of mongod', [pick(of('mongod'))], between(0, 5), 'SIGTERM'),
    'restart of nats-server': () =>
      kill('restart of nats-server', [pick(of('nats'))], between(0, 5), 'SIGTERM'),
    'kill -9 all nats-servers': () => kill('kill -9 all nats-servers', of('nats'), between(1, 8)),
    'kill -9 all mongods': () => kill('kill -9 all mongods', of('mongod'), between(1, 8)),
    'freeze mongod': () => freeze('freeze mongod', [pick(of('mongod'))], between(5, 25)),
    'freeze all mongods': () => freeze('freeze all mongods', of('mongod'), between(5, 15)),
    'freeze nats-server': () => freeze('freeze nats-server', [pick(of('nats'))], between(5, 25)),
    'freeze all nats-servers': () => freeze('freeze all nats-servers', of('nats'), between(5, 15)),
    'machine suspended for 20 s': () => freeze('machine suspended for 20 s', machine(random(2)), 20 * second),
    'connections to a mongod cut': () =>
      network('connections to a mongod cut', [pick(all('mongod-'))], 'cut', between(1, 10)),
    'connections to all mongods cut': () =>
      network('connections to all mongods cut', all('mongod-'), 'cut', between(1, 6)),
    'connections to a nats-server cut': () =>
      network('connections to a nats-server cut', [pick(all('nats-'))], 'cut', between(1, 10)),
    'connections to all nats-servers cut': () =>
      network('connections to all nats-servers cut', all('nats-'), 'cut', between(1, 6)),
    'partition of a nats-server': () => {
      const i = random(3);
      const routes = all('route-').filter((name) => name.slice('route-'.length).includes(String(i)));
      return network('partition of a nats-server', routes, 'freeze', between(5, 20));
    },
    'partition of a mongod': () =>
      network('partition of a mongod', [pick(all('mongod-'))], 'freeze', between(5, 20)),
    'slow mongods': () => network('slow mongods', all('mongod-'), 20 + random(60), between(5, 15)),
    'slow nats-servers': () => network('slow nats-servers', all('nats-'), 20 + random(100), between(5, 15)),
    'connections between services cut': () =>
      network(
        'connections between services cut',
        [pick(['identity', 'cases', 'webhooks', 'notifier'])],
        'cut',
        between(1, 5),
      ),
    'election: the primary steps down': election,
    'stream wiped': wipedStream,
    'stream cut short': cutShort,
    'duplicates and reordering on the bus': duplicates,
    'poison on the bus': poison,
    'receiver whose answer ends the process': deadlyEndpoint,
    'malformed requests, 50 MB bodies, slow headers': hostile,
    'sibling away, many events': siblingAway,
    'disk full (nats-server)': noDisk ?? fullDisk,
    'clock of a service an hour off': clocks(
      'a service',
      members.filter(({ readyUrl }) => readyUrl),
    ),
    'clock of a monitor an hour off': clocks('a monitor', of('monitor')),
    'clock of both monitors an hour off': clocks('both monitors', of('monitor'), of('monitor')),
    'clock of both webhooks an hour off': clocks('both webhooks', of('webhooks'), of('webhooks')),
    'clock of a mongod an hour off': clocks('a mongod', of('mongod')),
    'USCIS: 500': uscis('500', { mode: 'status', status: 500 }),
    'USCIS: 503': uscis('503', { mode: 'status', status: 503, retry_after_s: 2 }),
    'USCIS: 429': uscis('429', { mode: 'status', status: 429, retry_after_s: 1, ratio: 0.5 }),
    'USCIS: 401': uscis('401', { mode: 'status', status: 401, ratio: 0.3 }),
    'USCIS: slow': uscis('slow', { mode: 'slow', delay_ms: 3_000 }),
    'USCIS: never answers': uscis('never answers', { mode: 'hang' }),
    'USCIS: garbage': uscis('garbage', { mode: 'garbage' }),
    'USCIS: HTML': uscis('HTML', { mode: 'html' }),
    'USCIS: connection ends in the body': uscis('connection ends in the body', { mode: 'truncated' }),
    'USCIS: half a body': uscis('half a body', { mode: 'half' }),
    'USCIS: endless': uscis('endless', { mode: 'endless', ratio: 0.3 }),
    'USCIS: wrong type': uscis('wrong type', { mode: 'wrong_type' }),
    'USCIS: another receipt': uscis('another receipt', { mode: 'other_receipt' }),
    'USCIS tokens: revoked': tokens('revoked', {}),
    'USCIS tokens: 500': tokens('500', { mode: 'status' }),
    'USCIS tokens: HTML': tokens('HTML', { mode: 'html' }),
    'USCIS tokens: never answers': tokens('never answers', { mode: 'hang' }),
    'SMTP: greylisting': smtp('greylisting', { mode: 'greylist' }),
    'SMTP: 421 at the greeting': smtp('421 at the greeting', { mode: 'greylist', at: 'greeting', code: 421 }),
    'SMTP: never answers': smtp('never answers', { mode: 'hang', at: 'data' }),
    'SMTP: connection ends': smtp('connection ends', { mode: 'drop', at: 'mail_from' }),
    'SMTP: takes the mail and ends': smtp('takes the mail and ends', { mode: 'drop_after_data', ratio: 0.3 }),
    'Twilio: 500': twilio('500', { mode: 'status', status: 500 }),
    'Twilio: 429': twilio('429', { mode: 'status', status: 429, code: 20_429 }),
    'Twilio: HTML': twilio('HTML', { mode: 'html' }),
    'Twilio: never answers': twilio('never answers', { mode: 'hang', ratio: 0.3 }),
    'Twilio: takes the message and ends': twilio('takes the message and ends', { mode: 'drop', ratio: 0.3 }),
    'endpoint: 500': () => endpoint('endpoint: 500', { status: 500 }),
    'endpoint: 404': () => endpoint('endpoint: 404', { status: 404 }),
    'endpoint: 429': () => endpoint('endpoint: 429', { status: 429, headers: { 'retry-after': '2' } }),
    'endpoint: redirect': () =>
      endpoint('endpoint: redirect', { status: 302, headers: { location: 'http://127.0.0.1:9/' } }),
    'endpoint: never answers': () => endpoint('endpoint: never answers', { mode: 'hang' }),
    'endpoint: endless': () => endpoint('endpoint: endless', { mode: 'endless' }),
    'endpoint: a byte a second': () => endpoint('endpoint: a byte a second', { mode: 'drip' }),
    'endpoint: resets': () => endpoint('endpoint: resets', { mode: 'reset' }),
    'endpoint: garbage': () => endpoint('endpoint: garbage', { mode: 'garbage' }),
    'endpoint: half a body': () => endpoint('endpoint: half a body', { mode: 'half' }),
    'endpoint: HTML with 500': () =>
      endpoint('endpoint: HTML with 500', { status: 500, body: '<html><body>no</body></html>' }),
  };
}

/** How many services read events of this type. */
function readersOf(type: string): number {
  return Object.entries(events).find(([name]) => name === type)?.[1].consumers.length ?? 0;
}

/** proc(5), `stat`: state, and CPU time in hundredths of a second. Null: there is no such process. */
function stateOf(pid: number): { state: string; ticks: number } | null {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    // The second field is the name in brackets and may hold spaces.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    return fields[0] === 'Z'
      ? null
      : { state: fields[0] ?? '', ticks: Number(fields[11]) + Number(fields[12]) };
  } catch {
    return null;
  }
}

/** How far the clock of a process is from ours, minutes. */
async function offsetOf({ readyUrl, port }: Member): Promise<number> {
  const minutes = (date: Date) => (date.getTime() - Date.now()) / 60_000;
  try {
    if (readyUrl === undefined) {
      const { localTime } = await adminCommand(`mongodb://127.0.0.1:${port}/?directConnection=true`, {
        hello: 1,
      });
      return minutes(localTime as Date);
    }
    const response = await fetch(readyUrl, { signal: AbortSignal.timeout(3_000) });
    await response.body?.cancel();
    return minutes(new Date(response.headers.get('date') ?? Number.NaN));
  } catch {
    return Number.NaN;
  }
}

/** Waits until each service says that it is ready. */
export async function allReady({ members }: System, timeoutMs: number): Promise<void> {
  await Promise.all(members.flatMap(({ readyUrl }) => (readyUrl ? [answering(readyUrl, timeoutMs)] : [])));
}
