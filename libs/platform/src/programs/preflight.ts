/**
 * What an operator asks before an install: does each dependency work from here, with these settings? A service's program
 * `preflight.ts` runs the checks in its own image. A sentence names the setting and what is wrong, and no value of a setting.
 */
import { lookup, resolveSrv } from 'node:dns/promises';
import { setTimeout as delay } from 'node:timers/promises';
import { type ServiceName, streamsOf } from '@casewatch/contracts';
import { jetstreamManager } from '@nats-io/jetstream';
import type { z } from 'zod';
import { connectNats } from '../bus/nats-connection.ts';
import { standardOutput } from '../process/operator-commands.ts';
import { ConfigError, type Environment, readConfig } from '../settings/config.ts';
import {
  type MongoTlsSettings,
  mongoTls,
  type NatsAccess,
  natsAccess,
} from '../settings/connection-settings.ts';
import { nullIfNotFound } from '../streams/declare-streams.ts';
import { missingDeclarations } from '../streams/missing-declarations.ts';
import { natsRightsOf } from './nats-users.ts';

/** One thing that was tried. `unknown`: nothing is wrong as far as these rights can see. */
export type Finding = { subject: string; verdict: 'ok' | 'wrong' | 'unknown'; text: string };

/** @returns what was found; an error that it throws is a finding too */
export type Check<S> = { subject: string; run(settings: S): Promise<Finding[]> };

type Subject<Z extends z.ZodObject> = { name: ServiceName | 'streams'; config: Z };

type Output = { out(line: string): void; err(line: string): void };

const natsMs = 5_000;
/**
 * What a new pod calls may learn its address some seconds after it started: until then network policies keep it out. So long after the
 * start, what does not answer is tried again, ms.
 */
const newPodMs = 20_000;
const againMs = 1_000;

export const ok = (subject: string, text: string): Finding => ({ subject, verdict: 'ok', text });
export const wrong = (subject: string, text: string): Finding => ({ subject, verdict: 'wrong', text });
export const unknown = (subject: string, text: string): Finding => ({ subject, verdict: 'unknown', text });

/** Runs all checks and prints one line each. @returns the exit code: 0 nothing is wrong, 1 something is, 2 wrong settings */
export async function preflight<Z extends z.ZodObject>(
  { name, config }: Subject<Z>,
  checks: readonly Check<z.output<Z>>[],
  env: Environment,
  { out, err }: Output = standardOutput,
  patienceMs = newPodMs - process.uptime() * 1_000,
): Promise<number> {
  let settings: z.output<Z>;
  try {
    settings = readConfig(config, env);
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    err(`${name}: ${error.message}`);
    return 2;
  }
  const all: Check<z.output<Z>>[] = [dnsCheck, ...checks, natsCheck(name)] as Check<z.output<Z>>[];
  const untilMs = performance.now() + patienceMs;
  let isWrong = false;
  for (const check of all) {
    let found = await findingsOf(check, settings);
    while (found.some(isSilence) && performance.now() < untilMs) {
      await delay(againMs);
      found = await findingsOf(check, settings);
    }
    for (const { subject, verdict, text } of found) {
      isWrong ||= verdict === 'wrong';
      out(`${verdict.padEnd(7)} ${name} ${subject}: ${text}`);
    }
  }
  return isWrong ? 1 : 0;
}

async function findingsOf<S>({ subject, run }: Check<S>, settings: S): Promise<Finding[]> {
  return await run(settings).catch((error: unknown) => [wrong(subject, `${faultOf(error)}.`)]);
}

const nobodyListens = 'nobody listens at the address (ECONNREFUSED)';
const noAnswer = 'no answer in time: a network policy, a firewall or a private link may be in the way';
/** Policies drop what they keep out, or refuse it. */
const isSilence = ({ text }: Finding) => text.includes(noAnswer) || text.includes(nobodyListens);

/** Runs it as this process. */
export async function runPreflight<Z extends z.ZodObject>(
  service: Subject<Z>,
  checks: readonly Check<z.output<Z>>[] = [],
): Promise<void> {
  process.exitCode = await preflight(service, checks, process.env);
}

type Settings = Record<string, unknown>;

/** Names that other people resolve: callers and readers of mails. */
const notOurs = new Set(['PUBLIC_URL', 'APP_URL', 'TRACES_URL']);

/** Every host in an address of the settings. */
const dnsCheck: Check<Settings> = {
  subject: 'DNS',
  async run(settings) {
    const addresses = Object.entries(settings).filter(
      (entry): entry is [string, string] =>
        entry[0].endsWith('_URL') && typeof entry[1] === 'string' && !notOurs.has(entry[0]),
    );
    const found = await Promise.all(addresses.map(async ([name, text]) => await nameFaults(name, text)));
    const faults = found.flat();
    return faults.length > 0 ? faults : [ok('DNS', 'every name in an address has an address.')];
  },
};

async function nameFaults(setting: string, text: string): Promise<Finding[]> {
  const isSrv = text.startsWith('mongodb+srv://');
  const hosts = hostsOf(text);
  const faults = await Promise.all(
    hosts.map(async (host, i) => {
      try {
        await (isSrv ? resolveSrv(`_mongodb._tcp.${host}`) : lookup(host));
        return null;
      } catch (error) {
        const { code = 'unknown' } = error as NodeJS.ErrnoException;
        return wrong(
          'DNS',
          `${setting}: its host${hosts.length > 1 ? ` ${i + 1}` : ''} has no address here (${code}).`,
        );
      }
    }),
  );
  return faults.filter((fault) => fault !== null);
}

/** Without scheme, user, password, port, path and options. */
function hostsOf(text: string): string[] {
  return text.split(',').flatMap((part) => {
    const authority = part.replace(/^[a-z+]+:\/\//, '').split(/[/?#]/)[0] ?? '';
    const place = authority.slice(authority.lastIndexOf('@') + 1).trim();
    const host = /^\[(.+)\]/.exec(place)?.[1] ?? place.replace(/:\d+$/, '');
    return host === '' ? [] : [host];
  });
}

/** User, encryption and rights. Streams need not be declared yet: the pod `streams` does that. */
function natsCheck(name: ServiceName | 'streams'): Check<Parameters<typeof natsAccess>[0]> {
  return { subject: 'NATS', run: async (settings) => await tryNats(name, natsAccess(settings)) };
}

async function tryNats(name: ServiceName | 'streams', access: NatsAccess): Promise<Finding[]> {
  const subject = 'NATS';
  const signIn = 'creds' in access ? 'NATS_CREDS' : 'NATS_USER, NATS_PASSWORD';
  const connecting = connectNats(name, access, { waits: false });
  const connection = await connecting.catch((error: unknown) => faultOf(error));
  if (typeof connection === 'string')
    return [wrong(subject, `NATS_URL, ${signIn} and NATS_TLS_CA do not connect: ${connection}.`)];
  try {
    const denied: string[] = [];
    for (const wanted of natsRightsOf(name)?.subscribe ?? [])
      connection.subscribe(wanted, { callback: (error) => void (error && denied.push(wanted)) });
    await connection.flush();
    if (denied.length > 0)
      return [
        wrong(
          subject,
          `the user lacks rights (${denied.length} subjects, such as ${denied[0]}): ${'creds' in access ? 'sign those of this release into NATS_CREDS' : 'give the members users.conf of this release'}.`,
        ),
      ];
    if (name === 'streams') {
      const { streams } = await jetstreamManager(connection, { timeout: natsMs, checkAPI: false });
      // Its rights name each stream; the first one need not exist yet.
      const [{ name: first = '' } = {}] = streamsOf('identity');
      await nullIfNotFound(streams.info(first));
      return [ok(subject, 'user, rights and JetStream.')];
    }
    const missing = await missingDeclarations(name, { connection }, natsMs);
    const text = `streams and consumers are not declared yet (${missing.join(', ')}): the pod streams does it.`;
    return [
      missing.length > 0 ? unknown(subject, text) : ok(subject, 'user, rights, streams and consumers.'),
    ];
  } catch (error) {
    return [wrong(subject, `JetStream does not answer the user: ${faultOf(error)}.`)];
  } finally {
    await connection.close();
  }
}

const tlsCode = /^(ERR_TLS_|ERR_SSL_|EPROTO$|CERT_|UNABLE_TO_|DEPTH_ZERO_|SELF_SIGNED_)/;

/** What an error means, without a value of a setting: its text may quote the address or the user. */
export function faultOf(error: unknown): string {
  const all = errorsIn(error);
  // nodemailer has a code of its own, and the system's in the text.
  const codes = all.flatMap(({ code, message }) => [
    ...(code === undefined ? [] : [String(code)]),
    ...(message.match(/\bE[A-Z]{5,}\b/g) ?? []),
  ]);
  const texts = all.map(({ message }) => message).join(' ');
  const first = (wanted: (code: string) => boolean) => codes.find(wanted);
  const tls = first((code) => tlsCode.test(code));
  if (tls !== undefined) return `the certificate or the encryption of the server is not accepted (${tls})`;
  if (codes.includes('18') || /authorization violation|authentication (failed|error)/i.test(texts))
    return 'the server refuses the user or the password';
  if (codes.includes('13') || /permissions violation|not authorized/i.test(texts))
    return 'the user lacks a right';
  const name = first((code) => /^(ENOTFOUND|EAI_AGAIN|ENODATA)$/.test(code));
  if (name !== undefined) return `a name has no address here (${name})`;
  if (codes.includes('ECONNREFUSED')) return nobodyListens;
  if (
    /timed? ?out|time-out|took over|no answer/i.test(texts) ||
    codes.some((code) => /TIMEDOUT|TIMEOUT/.test(code))
  )
    return noAnswer;
  if (/certificate/i.test(texts)) return 'the certificate of the server is not accepted';
  if (/tls|ssl|secure/i.test(texts)) return 'the server does not speak TLS, or asks for it';
  const [code = 'unknown reason'] = codes;
  return `it fails (${code})`;
}

type Fault = { code?: unknown; message: string };

/** The error, its causes, those of several addresses, and those that the driver of MongoDB has of each server. */
function errorsIn(error: unknown, depth = 0): Fault[] {
  if (!(error instanceof Error) || depth > 6) return [];
  const {
    cause,
    errors,
    reason,
    error: inner,
  } = error as Error & {
    errors?: unknown[];
    reason?: { servers?: Map<string, { error?: unknown }> };
    error?: unknown;
  };
  const ofServers = [...(reason?.servers?.values() ?? [])].map(({ error }) => error);
  return [
    error as Fault,
    ...[cause, inner, ...(errors ?? []), ...ofServers].flatMap((next) => errorsIn(next, depth + 1)),
  ];
}

export type MongoAccess = MongoTlsSettings & { MONGODB_URL: string };
export const mongoAccess = ({ MONGODB_URL: url, ...settings }: MongoAccess) => ({
  url,
  tls: mongoTls(settings),
});
