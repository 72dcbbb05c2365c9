/**
 * The settings of several services in one environment. `LOG_LEVEL=info` is for every part that has the setting, `CASES__LOG_LEVEL=debug`
 * for cases alone. What the parts must not share has no meaning without the name of a part: `CASES__MONGODB_URL`. So the settings of a
 * part are exactly what its own deployment needs later, without the prefix.
 */
import { type ServiceName, serviceNames } from '@casewatch/contracts';
import { casesConfig } from '@casewatch/cases/config';
import { gatewayConfig } from '@casewatch/gateway/config';
import { identityConfig } from '@casewatch/identity/config';
import { monitorConfig } from '@casewatch/monitor/config';
import { notifierConfig } from '@casewatch/notifier/config';
import {
  ConfigError,
  drainSettings,
  type Environment,
  readConfig,
  ruleOf,
  settingsError,
  streamsConfig,
  tracingSettings,
} from '@casewatch/platform';
import { webhooksConfig } from '@casewatch/webhooks/config';
import { z } from 'zod';

export type PartName = ServiceName | 'streams';

/** `streams` declares streams and consumers; elsewhere it is a deployment of its own. */
export const partNames: readonly PartName[] = [...serviceNames, 'streams'];

export const configs: Readonly<Record<PartName, z.ZodObject>> = {
  gateway: gatewayConfig,
  identity: identityConfig,
  cases: casesConfig,
  monitor: monitorConfig,
  notifier: notifierConfig,
  webhooks: webhooksConfig,
  streams: streamsConfig,
};

const loopback = '127.0.0.1';

/** A part listens on the port of the gateway, or of its metrics, plus its place in `partNames`. */
const places = new Set(['PORT', 'METRICS_PORT']);

/** Without the name of a part they are the gateway's, the only part that is reached from outside. */
const ofGateway = new Set(['HOST', ...places]);

/** The process itself has these settings: its spans are those of one service, and it drains once. */
const ofProcess = z.object({ ...tracingSettings, ...drainSettings.shape });

const keysOf = (part: PartName) =>
  Object.keys(configs[part].shape).filter((key) => !(key in ofProcess.shape));

/** Secrets that several parts have, and the user of NATS, whose rights are those of its service. */
const apart: ReadonlySet<string> = new Set(
  partNames
    .flatMap((part) => keysOf(part))
    .filter((key, i, all) => all.indexOf(key) !== i)
    .filter((key) => key === 'NATS_USER' || partNames.some((part) => isSecret(part, key))),
);

function isSecret(part: PartName, key: string): boolean {
  const schema = configs[part].shape[key];
  return schema !== undefined && ruleOf(schema).isSecret === true;
}

const ownName = (part: PartName, key: string) => `${part.toUpperCase()}__${key}`;

/** What a part would have as its whole environment in a process of its own. */
export function environmentOf(part: PartName, env: Environment): Environment {
  const found: Record<string, string> = {};
  for (const key of keysOf(part)) {
    const own = ownName(part, key);
    const isOwn = Boolean(env[own] || env[`${own}_FILE`]);
    const isBare = !apart.has(key) && (part === 'gateway' || !ofGateway.has(key));
    const from = isOwn ? own : isBare ? key : null;
    for (const ending of ['', '_FILE']) {
      const value = from === null ? undefined : env[from + ending];
      if (value) found[key + ending] = value;
    }
    if (found[key] !== undefined || found[`${key}_FILE`] !== undefined) continue;
    const value = valueWithout(part, key, env);
    if (value !== undefined) found[key] = value;
  }
  return found;
}

/** What follows from this being one process, unless a setting says otherwise. */
function valueWithout(part: PartName, key: string, env: Environment): string | undefined {
  if (key === 'NATS_USER') {
    const own = ownName(part, 'NATS_CREDS');
    return env[own] || env[`${own}_FILE`] ? undefined : part;
  }
  if (part === 'gateway') {
    const [, service] = /^(IDENTITY|CASES|WEBHOOKS|NOTIFIER)_URL$/.exec(key) ?? [];
    const port = service && environmentOf(service.toLowerCase() as PartName, env).PORT;
    return port && `http://${loopback}:${port}`;
  }
  // Only the gateway, in this process, calls the others.
  if (key === 'HOST') return loopback;
  const first = Number(env[key]);
  return places.has(key) && first > 0 ? String(first + partNames.indexOf(part)) : undefined;
}

/**
 * The common environment of parts that had one each: the way from six deployments to one process. What all parts that know a setting
 * agree on stands there once.
 */
export function settingsTogether(
  environments: Readonly<Record<PartName, Readonly<Record<string, string>>>>,
): Record<string, string> {
  const together: Record<string, string> = {};
  for (const part of partNames)
    for (const [key, value] of Object.entries(environments[part])) {
      if (key in ofProcess.shape) together[key] = value;
      else together[isCommon(key, value, environments) ? key : ownName(part, key)] = value;
    }
  return together;
}

function isCommon(
  key: string,
  value: string,
  environments: Readonly<Record<PartName, Readonly<Record<string, string>>>>,
): boolean {
  if (apart.has(key) || ofGateway.has(key)) return false;
  return partNames.every((part) => !(key in configs[part].shape) || environments[part][key] === value);
}

export type Settings = {
  environments: Readonly<Record<PartName, Environment>>;
  ofProcess: z.output<typeof ofProcess>;
};

/** @throws ConfigError that names every fault of every part, by the name that the operator types */
export function readSettings(env: Environment): Settings {
  const faults = [...namesWithoutMeaning(env)];
  const attempt = (part: PartName | null, config: z.ZodObject, own: Environment) => {
    try {
      return readConfig(config, own);
    } catch (error) {
      if (!(error instanceof ConfigError)) throw error;
      faults.push(...error.faults.map((fault) => (part ? renamed(part, fault, env) : fault)));
      return undefined;
    }
  };
  const process = attempt(null, ofProcess, env) as Settings['ofProcess'] | undefined;
  const environments = partNames.map((part) => {
    const own = environmentOf(part, env);
    attempt(part, configs[part], own);
    return [part, own] as const;
  });
  if (faults.length > 0 || process === undefined) throw settingsError([...new Set(faults)]);
  return { environments: Object.fromEntries(environments) as Settings['environments'], ofProcess: process };
}

/** A wrong name would be silent otherwise, and the setting would be missing in one part only. */
function* namesWithoutMeaning(env: Environment): Iterable<string> {
  const known = new Set(partNames.flatMap((part) => keysOf(part)));
  for (const [name, value] of Object.entries(env)) {
    if (!value) continue;
    const [, prefix = '', rest = ''] = /^([A-Z]+)__([A-Z][A-Z0-9_]*?)(?:_FILE)?$/.exec(name) ?? [];
    const part = partNames.find((part) => part.toUpperCase() === prefix);
    const bare = name.replace(/_FILE$/, '');
    if (part && !keysOf(part).includes(rest)) yield `${name}: ${part} has no setting ${rest} of its own`;
    else if (!part && known.has(rest)) yield `${name}: there is no part ${prefix}`;
    else if (apart.has(bare))
      yield `${name}: each part has its own: ${partNames.flatMap((part) => (keysOf(part).includes(bare) ? [ownName(part, bare)] : [])).join(', ')}`;
  }
}

/** The fault of a part, with the name of the setting in the common environment. */
function renamed(part: PartName, fault: string, env: Environment): string {
  const [, key = '', ending = '', text = fault] =
    /^([A-Z][A-Z0-9_]*?)(_FILE)?((?:\.[^:]*)?: [\s\S]*)$/.exec(fault) ?? [];
  if (key === '') return `${part}: ${fault}`;
  const own = ownName(part, key);
  const isOwn =
    env[own] || env[`${own}_FILE`] || apart.has(key) || (part !== 'gateway' && ofGateway.has(key));
  return `${isOwn ? own : key}${ending}${text}`;
}
