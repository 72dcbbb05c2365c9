/**
 * Kills a process right after one of its side effects has left it, before the answer is there: between this effect and the next.
 * Effects are read from the bytes that processes send: writes to MongoDB, events and acknowledgements to NATS, mails and messages.
 */
import { readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { type EventType, events, type ServiceName } from '@casewatch/contracts';
import type { Link } from '../../dev/src/link.ts';
import { type Member, type System, signal } from './system.ts';

/** By service and effect, such as `cases: update outbox`: how often it was seen, and how often a process ended right after it. */
export type Effects = Map<string, { seen: number; killed: number }>;

const writes = new Set(['insert', 'update', 'delete', 'findAndModify', 'commitTransaction']);
const published = new Set<string>(Object.keys(events) satisfies string[] as EventType[]);
/** Of the protocol between MongoDB and its clients: OP_MSG, after a head of 16 bytes, flags and the kind of the first section. */
const opMsg = 2013;
const documentAt = 21;
const stringType = 2;

/** What a piece of data does; empty if it does nothing that lasts. */
export function effectsIn(link: string, piece: Buffer): string[] {
  if (link.startsWith('mongod-')) return commandIn(piece);
  const text = piece.toString('latin1');
  if (link.startsWith('nats-'))
    return [...text.matchAll(/(?:^|\r\n)H?PUB (\S+)[^\r]*\r\n([^\r]*)/g)].flatMap(
      ([, subject = '', body]) => {
        if (published.has(subject)) return [`publish ${subject}`];
        // Not +WPI: the handler is at work.
        return subject.startsWith('$JS.ACK.') && (body === '+ACK' || body === '')
          ? ['acknowledge an event']
          : [];
      },
    );
  if (link === 'smtp') return text.endsWith('\r\n.\r\n') ? ['end a mail'] : [];
  return link === 'twilio' && text.startsWith('POST ') ? ['post a message'] : [];
}

/** The name of the command is that of the first field. Where it is a text, it is the collection. */
function commandIn(piece: Buffer): string[] {
  if (piece.length < documentAt + 12 || piece.readInt32LE(12) !== opMsg) return [];
  const nameAt = documentAt + 5;
  const end = piece.indexOf(0, nameAt);
  const name = piece.toString('latin1', nameAt, end);
  if (!writes.has(name)) return [];
  if (piece[documentAt + 4] !== stringType) return [name];
  const length = piece.readInt32LE(end + 1);
  return [`${name} ${piece.toString('latin1', end + 5, end + 4 + length)}`];
}

export type SideEffectKills = {
  /** Kills processes of the service until `stop`, at most `most`: first after effects that no kill has followed yet. */
  start(service: ServiceName, most: number): void;
  /** @returns the effects after which a process was killed */
  stop(): string[];
};

export function createSideEffectKills({ links, members }: System, effects: Effects): SideEffectKills {
  const watched = [...links].filter(([name]) => /^(?:mongod-|nats-|smtp|twilio)/.test(name));
  let hit: string[] = [];
  /** Rare effects come before those that were met before: for this time only new ones count. */
  const onlyNewMs = 6_000;

  function watch(name: string, link: Link, service: ServiceName, most: number): void {
    const own = members.filter(({ kind }) => kind === service);
    const ownerOfPort = new Map<number, number | undefined>();
    const began = performance.now();
    link.watch((piece, port) => {
      const found = effectsIn(name, piece);
      if (found.length === 0 || hit.length >= most) return;
      if (!ownerOfPort.has(port)) ownerOfPort.set(port, ownerOf(port, own));
      const pid = ownerOfPort.get(port);
      if (pid === undefined) return;
      for (const effect of found) {
        const key = `${service}: ${effect}`;
        const counted = effects.get(key) ?? { seen: 0, killed: 0 };
        effects.set(key, counted);
        counted.seen++;
        const least = performance.now() - began < onlyNewMs ? 0 : leastKilled(service);
        if (counted.killed > least || !signal(pid, 'SIGKILL')) continue;
        counted.killed++;
        hit.push(effect);
        return;
      }
    });
  }

  function leastKilled(service: ServiceName): number {
    const own = [...effects].filter(([key]) => key.startsWith(`${service}: `));
    return Math.min(...own.map(([, { killed }]) => killed));
  }

  return {
    start(service, most) {
      hit = [];
      for (const [name, link] of watched) watch(name, link, service, most);
    },
    stop() {
      for (const [, link] of watched) link.watch(null);
      return hit;
    },
  };
}

/** The process among `members` that has this local port, by proc(5), `net/tcp`. */
export function ownerOf(port: number, members: readonly Member[]): number | undefined {
  const hex = port.toString(16).toUpperCase().padStart(4, '0');
  const row = readFileSync('/proc/net/tcp', 'utf8')
    .split('\n')
    .map((line) => line.trim().split(/\s+/))
    .find((fields) => fields[1]?.endsWith(`:${hex}`));
  const inode = row?.[9];
  if (inode === undefined) return undefined;
  return members
    .map(({ pid }) => pid())
    .find((pid) => {
      try {
        return readdirSync(`/proc/${pid}/fd`).some((fd) => {
          try {
            return readlinkSync(`/proc/${pid}/fd/${fd}`) === `socket:[${inode}]`;
          } catch {
            return false; // It was closed meanwhile.
          }
        });
      } catch {
        return false; // The process has ended.
      }
    });
}
