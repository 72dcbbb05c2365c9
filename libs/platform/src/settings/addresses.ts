import { z } from 'zod';

/** Each function returns what is wrong with an address, without any part of it, or undefined. */
type FaultOf = (text: string) => string | undefined;

/** A setting that is an address. It is parsed when it is read, so that no library meets a wrong one, and prints it. */
export function addressSetting(faultOf: FaultOf) {
  return z.string().superRefine((text, ctx) => {
    const message = faultOf(text);
    if (message !== undefined) ctx.addIssue({ code: 'custom', message });
  });
}

/** An http or https address, without a slash at its end. */
export const httpAddress = () => addressSetting(httpFault).transform((url) => url.replace(/\/+$/, ''));

export function httpFault(text: string): string | undefined {
  if (!/^https?:\/\//i.test(text)) return 'must begin with http:// or https://';
  const url = parsed(text);
  if (url === undefined) return 'is not an address: http://host or https://host, with a port from 1 to 65535';
  return url.username !== '' || url.password !== '' ? 'must not have a user or a password' : undefined;
}

export function natsFault(text: string): string | undefined {
  for (const address of text.split(',').map((part) => part.trim())) {
    if (!/^(nats|tls):\/\//.test(address))
      return 'each address must begin with nats:// or tls://; commas separate them';
    const url = parsed(address);
    if (address.includes('@')) return 'must not have a user or a password: set NATS_USER and NATS_PASSWORD';
    if (url === undefined || url.hostname === '' || /[^/]/.test(url.pathname + url.search + url.hash))
      return 'each address must be a host with a port from 1 to 65535: nats://host:4222';
  }
  return undefined;
}

const mustBeEncoded =
  'its user and password must be percent-encoded: / is %2F, @ is %40, ? is %3F, # is %23, % is %25';

/** An address of a mail server: `smtp://` or `smtps://`, a user and a password if it needs them, a host, options of nodemailer. */
export function smtpFault(text: string): string | undefined {
  if (!/^smtps?:\/\//.test(text)) return 'must begin with smtp:// or smtps://';
  const { credentials, place, isEncoded } = partsOf(text);
  if (!isEncoded) return mustBeEncoded;
  const url = parsed(text);
  if (url === undefined || url.hostname === '' || place.replace(/\/$/, '').includes('/'))
    return 'is not an address: smtps://user:password@host:465';
  if (credentials !== undefined && !/^[^:]+:[\s\S]+$/.test(credentials))
    return 'must have a user and a password, or neither';
  if (url.searchParams.has('logger') || url.searchParams.has('debug'))
    return 'must not have the options logger and debug, which print the password';
  return undefined;
}

/** Of a member of a replica set: a name, an IPv4 address, an IPv6 address in brackets, or the encoded path of a socket. */
const mongoHost = /^(?:[\w.-]+|\[[0-9a-f:.%]+\])(?::(\d{1,5}))?$|^%2f[\w.%-]+\.sock$/i;

/** MongoDB, Naming Restrictions of databases */
const databaseName = /^[^/\\. "$*<>:|?\0]{1,63}$/;

/**
 * An address of a database (MongoDB, Connection Strings). The class URL does not accept several hosts. The driver would connect
 * to the database `test` where none is named; it checks the options itself (store/mongo.ts).
 */
export function mongoFault(text: string): string | undefined {
  return mongoServersFault(text) ?? databaseFault(text);
}

function databaseFault(text: string): string | undefined {
  const database = /^[^/]*\/?([\s\S]*)$/.exec(partsOf(text).place)?.[1] ?? '';
  if (database === '') return 'names no database: mongodb://user:password@host:27017/database';
  return databaseName.test(decodeURIComponent(database)) ? undefined : 'names a database that cannot exist';
}

/** The same for an address that need not name a database. */
export function mongoServersFault(text: string): string | undefined {
  if (!/^mongodb(\+srv)?:\/\//.test(text)) return 'must begin with mongodb:// or mongodb+srv://';
  const { credentials, place, isEncoded } = partsOf(text);
  if (!isEncoded) return mustBeEncoded;
  if (credentials?.startsWith(':')) return 'has a password without a user';
  const hosts = /^[^/]*/.exec(place)?.[0] ?? '';
  return hosts.split(',').every(isMongoHost)
    ? undefined
    : 'each host must be a name with a port from 1 to 65535: mongodb://user:password@host:27017/database';
}

function isMongoHost(text: string): boolean {
  const match = mongoHost.exec(text);
  if (!match) return false;
  const port = Number(match[1] ?? 1);
  return port >= 1 && port <= 65_535;
}

/** The parts before the options. Where an address is not encoded, a part of a password stands where no @ may be. */
function partsOf(text: string): { credentials?: string; place: string; isEncoded: boolean } {
  const rest = text.slice(text.indexOf('://') + 3);
  const [, authority = '', path = '', options = ''] = /^([^/?#]*)([^?#]*)([\s\S]*)$/.exec(rest) ?? [];
  const at = authority.indexOf('@');
  const isEncoded =
    at === authority.lastIndexOf('@') &&
    !/@/.test(path) &&
    !(at < 0 && options.includes('@')) &&
    !options.includes('#') &&
    !/\s/.test(rest) &&
    isDecodable(authority + path);
  const host = authority.slice(at + 1);
  return { ...(at >= 0 && { credentials: authority.slice(0, at) }), place: host + path, isEncoded };
}

function isDecodable(text: string): boolean {
  try {
    decodeURIComponent(text);
    return true;
  } catch {
    return false; // a % without two digits, or no UTF-8
  }
}

/** Undefined too where the class URL would correct it: it removes spaces and line breaks. */
function parsed(text: string): URL | undefined {
  return /\s/.test(text) || !URL.canParse(text) ? undefined : new URL(text);
}
