/**
 * npm run secrets -- --to FOLDER --given FILE [--as secret|external|env] [--namespace casewatch] [--store NAME] [--prefix casewatch/] [--mesh]
 * Writes the Secrets of the production overlay into a folder outside of the repository. Run it again after a change of FILE, or
 * with a newer release: what it made before is kept in FOLDER/made, and what is missing is added.
 */
import { chmodSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { stringify } from 'yaml';
import { CliError, exitWith } from '../cli-error.ts';
import { ROOT } from '../options.ts';
import { readPrivateJson, writePrivateJson } from '../private-file.ts';
import { environmentFiles } from './environment-files.ts';
import { type Made, makeSecrets, optional, required, type Secrets, settingsFor } from './secrets.ts';

const usage = `npm run secrets -- --to FOLDER --given FILE

  --given FILE        lines NAME=value. Needed: ${required.join(', ')}.
                      If you use them: ${Object.values(optional).flat().join(', ')}.
                      MONGODB_URL without user and database: each service gets its own. NAME_CASES is for cases alone.
                      For a rotation: NATS_PASSWORD_CASES, PRINCIPAL_KEY, PRINCIPAL_JWKS, SECRET_PEPPER=new old, and other rings.
                      NATS_CREDS_CASES, …, NATS_CREDS_STREAMS: credentials in place of passwords, if your NATS has them.
                      NAME_FILE=path: the value is the content of this file.
  --to FOLDER         outside of the repository; keep it as you keep keys
  --as secret         (default) <name>.yaml for kubectl apply -f, or for kubeseal --format yaml < <name>.yaml
  --as external       <name>.json for your secret manager, and external-secrets.yaml, which holds no secret
  --as env            <name>.env and mongodb-root, for one machine (deploy/small)
  --store NAME        the ClusterSecretStore of external-secrets.yaml (default: casewatch)
  --prefix TEXT       begins each name in the secret manager (default: casewatch/)
  --namespace NAME    (default: casewatch)
  --mesh              a service mesh encrypts connections: addresses without TLS are accepted`;

try {
  const options = parse();
  const folder = resolve(options.to);
  if (!relative(ROOT, folder).startsWith('..'))
    throw new CliError(
      'Nothing was written: --to is inside the repository, where a commit could take the secrets.',
    );
  const given = readGiven(options.given);
  const made: Partial<Made> = readPrivateJson<Made>(join(folder, 'made')) ?? {};
  const secrets = makeSecrets(given, made, options);
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  chmodSync(folder, 0o700);
  // Without an ending: kubectl apply -f FOLDER takes every .yaml and .json.
  writePrivateJson(join(folder, 'made'), made);
  for (const [name, content] of Object.entries(files(secrets, options))) {
    // A file that exists keeps its mode when it is written.
    rmSync(join(folder, name), { force: true });
    writeFileSync(join(folder, name), content, { mode: 0o600 });
    console.log(join(folder, name));
  }
  for (const { service, setting } of options.as === 'env' ? [] : settingsFor(secrets))
    console.log(`Add to the settings of ${service} in your overlay: ${setting}`);
  const users = 'nats-users' in secrets ? 'MongoDB and NATS' : 'MongoDB';
  if (options.as !== 'env')
    console.log(
      `Create the users of ${users} with the passwords in mongodb-users and nats-users, unless you use components/mongodb, components/nats or components/nats-chart.`,
    );
} catch (err) {
  exitWith(err);
}

type Options = ReturnType<typeof parse>;

function parse() {
  const text = { type: 'string' } as const;
  const defaults = { as: 'secret', namespace: 'casewatch', store: 'casewatch', prefix: 'casewatch/' };
  const options = {
    mesh: { type: 'boolean' } as const,
    to: text,
    given: text,
    ...Object.fromEntries(Object.keys(defaults).map((name) => [name, text])),
  };
  const { values } = asUsage(() => parseArgs({ args: process.argv.slice(2), options }));
  const all: Record<string, unknown> = { ...defaults, ...values };
  const { to, given, as } = all;
  if (typeof to !== 'string' || typeof given !== 'string') throw new CliError(usage);
  if (as !== 'secret' && as !== 'external' && as !== 'env')
    throw new CliError(`--as is secret, external or env.\n\n${usage}`);
  return { ...(all as typeof defaults), to, given, as, mesh: values.mesh === true };
}

function asUsage<T>(read: () => T): T {
  try {
    return read();
  } catch (err) {
    throw new CliError(`${(err as Error).message}\n\n${usage}`);
  }
}

function readGiven(file: string): Record<string, string> {
  const given: Record<string, string> = {};
  for (const [i, line] of readContent(file).split(/\r?\n/).entries()) {
    if (line.trim() === '' || line.startsWith('#')) continue;
    const [, name, value] = /^([A-Z][A-Z0-9_]*)=(.*)$/.exec(line) ?? [];
    // The line may be a secret: it is not shown.
    if (name === undefined || value === undefined)
      throw new CliError(`Nothing was written: line ${i + 1} of ${file} is not NAME=value.`);
    if (name in given) throw new CliError(`Nothing was written: ${file} gives ${name} twice.`);
    if (value === '') continue;
    const bare = name.replace(/_FILE$/, '');
    if (bare in given) throw new CliError(`Nothing was written: ${file} gives ${bare} and ${bare}_FILE.`);
    // A key in PEM has several lines: \n stands for a line end.
    given[bare] =
      bare !== name
        ? readContent(resolve(dirname(file), value), name).trimEnd()
        : value.includes('-----BEGIN')
          ? value.replaceAll('\\n', '\n')
          : value;
  }
  return given;
}

function readContent(file: string, what = file): string {
  try {
    return readFileSync(file, 'utf8');
  } catch (err) {
    throw new CliError(`Nothing was written: cannot read ${what} (${(err as NodeJS.ErrnoException).code}).`);
  }
}

function files(secrets: Secrets, { as, namespace, store, prefix }: Options): Record<string, string> {
  const entries = Object.entries(secrets);
  if (as === 'env') return environmentFiles(secrets);
  if (as === 'secret')
    return Object.fromEntries(
      entries.map(([name, stringData]) => [
        `${name}.yaml`,
        stringify(
          { apiVersion: 'v1', kind: 'Secret', metadata: { name, namespace }, type: 'Opaque', stringData },
          { lineWidth: 0 },
        ),
      ]),
    );
  const externals = entries.map(([name]) =>
    stringify({
      apiVersion: 'external-secrets.io/v1',
      kind: 'ExternalSecret',
      metadata: { name, namespace },
      spec: {
        refreshInterval: '1h',
        secretStoreRef: { kind: 'ClusterSecretStore', name: store },
        target: { name },
        dataFrom: [{ extract: { key: `${prefix}${name}` } }],
      },
    }),
  );
  return {
    ...Object.fromEntries(
      entries.map(([name, keys]) => [`${name}.json`, `${JSON.stringify(keys, null, 2)}\n`]),
    ),
    'external-secrets.yaml': externals.join('---\n'),
  };
}
