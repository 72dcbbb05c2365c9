import { spawnSync } from 'node:child_process';
import { createPrivateKey, X509Certificate } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, realpathSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { serviceNames } from '@casewatch/contracts';
import { readConfig, streamsConfig } from '@casewatch/platform';
import { makeAuthority, type TempFolder, tempFolder } from '@casewatch/testing';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { readSettings } from '../../services/all/src/settings.ts';
import { digestsComponent } from '../../tools/cluster/src/images/digests-component.ts';
import { objectsIn } from '../../tools/cluster/src/kit/objects.ts';
import { optional, required } from '../../tools/dev/src/kubernetes-secrets/secrets.ts';
import { serviceConfigs } from '../../tools/dev/src/settings-tables/service-configs.ts';
import { type Step, stepsOf } from './read-guide.ts';
import { runSteps } from './run-steps.ts';
import { textDifferences } from './same-shape.ts';

const root = join(import.meta.dirname, '../..');
const docs = join(root, 'docs');
const folder = join(docs, 'operations');
const deploy = join(root, 'deploy/k8s');
/** For a busy machine: programs are started, and nothing is measured. */
const patienceMs = 600_000;
const hasTools = ['kubectl', 'jq'].every((tool) => spawnSync('which', [tool]).status === 0);
/** npm test says that they are missing. */
const describeWithTools = hasTools ? describe : describe.skip;

/** A reader puts values in where the page says so: texts of the page, and ours. */
type Values = readonly (readonly [ofPage: string, ours: string])[];
/** What marked blocks of a page leave behind, where a later block needs it: a word of the marked block, and a command. */
type StandIns = readonly (readonly [word: string, command: string])[];

const text = (page: string) => readFileSync(join(folder, page), 'utf8');

/** The blocks that are run, with our values, and what stands in for marked blocks. @throws Error where the page lacks a text */
function commandsOf(steps: readonly Step[], values: Values, standIns: StandIns = []) {
  const run = steps.filter(({ isRun }) => isRun).map(({ command }) => command);
  const missing = values.filter(([ofPage]) => !run.some((command) => command.includes(ofPage)));
  if (missing.length > 0) throw new Error(`the page has no ${missing.map(([ofPage]) => ofPage).join(', ')}`);
  return steps.flatMap(({ command, isRun, line, expected }) => {
    if (!isRun) {
      const found = standIns.filter(([word]) => command.includes(word));
      return found.map(([, standIn]) => ({ line, expected: null, command: standIn }));
    }
    const ours = values.reduce((all, [from, to]) => all.replaceAll(from, to), command);
    return [{ line, expected, command: ours }];
  });
}

async function runPage(commands: ReturnType<typeof commandsOf>, home: string): Promise<string[]> {
  const printed = await runSteps(
    commands.map(({ command }) => command),
    root,
    { home, timeoutMs: patienceMs },
  );
  return commands.flatMap(({ line, expected }, i) =>
    expected ? textDifferences(expected.text, printed[i] ?? '').map((fault) => `line ${line}: ${fault}`) : [],
  );
}

const pages = ['install-eks.md', 'install-gke.md', 'install-own.md', 'small.md'];

it.each([...pages, 'backup.md', 'secrets.md', '../operations.md'])(
  '%s says how many of its command blocks are run, and how many are not',
  (page) => {
    const markdown = text(page);
    const steps = stepsOf(markdown);
    const run = steps.filter(({ isRun }) => isRun).length;
    const said =
      /(\d+) command blocks\b[^.]*?\.? (?:A|a) test of this repository runs (\d+)[^.]*\. (\d+) need/s.exec(
        markdown,
      ) ?? [];
    expect(said.slice(1).map(Number)).toEqual([steps.length, run, steps.length - run]);
  },
);

it('no other page for operators has command blocks', () => {
  const counted = ['../operations.md', 'backup.md', 'secrets.md', ...pages];
  const others = readdirSync(folder).filter((name) => name.endsWith('.md') && !counted.includes(name));
  for (const page of [...others, '../runbooks.md']) expect([page, stepsOf(text(page))]).toEqual([page, []]);
});

describe.each(pages)('%s', (page) => {
  const markdown = text(page);
  const steps = stepsOf(markdown);
  const marked = steps.filter(({ isRun }) => !isRun);

  it('has more than marks, which would be no proof', () => {
    expect(steps.length - marked.length).toBeGreaterThan(1);
  });

  it('leads only to files and headings that there are', () => {
    const links = [...markdown.matchAll(/\]\((?!https:)([^)\s#]*)(?:#([^)\s]+))?\)/g)];
    const faults = links.flatMap(([link, file = '', heading]) => {
      const path = file === '' ? join(folder, page) : join(folder, file);
      if (!existsSync(path)) return [link];
      return heading === undefined || headingsOf(readFileSync(path, 'utf8')).includes(heading) ? [] : [link];
    });
    expect(faults).toEqual([]);
    const paths = [...markdown.matchAll(/(?<![\w$/}.])(?:deploy|docs|services|libs|tools)\/[\w./-]*[\w/]/g)];
    expect(paths.length).toBeGreaterThan(0);
    // `deploy/cases` is a deployment of kubectl.
    const files = paths.map(([path]) => path).filter((path) => !isDeployment(path));
    expect(files.filter((path) => !existsSync(join(root, path)))).toEqual([]);
    const components = [...markdown.matchAll(/\bcomponents\/([a-z-]+)/g)].map(([, name = '']) => name);
    expect(components.filter((name) => !existsSync(join(deploy, 'components', name)))).toEqual([]);
  });

  it('names only settings, values and commands that there are', () => {
    const ofOverlay = page.replace(/^install-|\.md$/g, '');
    const installFile = join(deploy, 'overlays', ofOverlay, 'install/install.env');
    const known = new Set([
      ...Object.values(serviceConfigs).flatMap(({ shape }) => Object.keys(shape)),
      ...Object.keys(streamsConfig.shape),
      ...required,
      ...Object.values(optional).flat(),
      ...(existsSync(installFile) ? namesIn(readFileSync(installFile, 'utf8')) : []),
      ...namesIn(readFileSync(join(root, 'deploy/small/docker-compose.yml'), 'utf8'), /\$\{([A-Z_]+)/g),
      // What the page itself gives a value: `NAME=`, alone or after export. Not lines of files that it writes.
      ...steps.flatMap(({ command }) =>
        namesIn(command.replaceAll(/<<'?END'?\n[\s\S]*?^END$/gm, ''), /\b([A-Z][A-Z0-9_]*)=/g),
      ),
    ]);
    const said = marked.reduce((all, { command }) => all.replace(command, ''), markdown);
    const names = namesIn(said, /(?<![\w.])([A-Z][A-Z0-9]*(?:__?[A-Z0-9]+)+)\b/g);
    expect(names.length).toBeGreaterThan(3);
    const isKnown = (name: string) => {
      const bare = name.replace(/_FILE$/, '');
      // One process: NAME of one service is CASES__NAME.
      return known.has(name) || known.has(bare) || known.has(bare.replace(/^[A-Z]+__/, ''));
    };
    // `CASES__NAME` stands for every name.
    expect([...new Set(names)].filter((name) => !isKnown(name) && !/(^|__)NAME(_FILE)?$/.test(name))).toEqual(
      [],
    );

    const { scripts } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { scripts: object };
    const npm = [...markdown.matchAll(/npm run (?:--silent )?([\w:-]+)/g)].map(([, name = '']) => name);
    expect(npm.filter((name) => !(name in scripts))).toEqual([]);
    const programs = [
      ...markdown.matchAll(/deploy\/([a-z]+) -- node service\/(src\/[\w./-]+\.ts) ([a-z-]+) ([a-z-]+)/g),
    ];
    for (const [line, service = '', path = '', first = '', second = ''] of programs) {
      expect([line, existsSync(join(root, 'services', service, path))]).toEqual([line, true]);
      const words = first === service ? second : `${first} ${second}`;
      expect([line, wordsOf(service).includes(words)]).toEqual([line, true]);
    }
    const ofAll = [...markdown.matchAll(/casewatch node service\/(src\/[\w./-]+\.ts)/g)];
    for (const [, path = ''] of ofAll)
      expect([path, existsSync(join(root, 'services/all', path))]).toEqual([path, true]);
  });
});

function isDeployment(path: string): boolean {
  return [...serviceNames, 'streams'].some((name) => path === `deploy/${name}`);
}

/** As GitHub makes anchors of headings. */
function headingsOf(markdown: string): string[] {
  return [...markdown.matchAll(/^#+ (.+)$/gm)].map(([, heading = '']) =>
    heading
      .toLowerCase()
      .replaceAll(/[^\w\- ]/g, '')
      .replaceAll(' ', '-'),
  );
}

function namesIn(from: string, pattern = /^([A-Z][A-Z0-9_]*)=/gm): string[] {
  return [...from.matchAll(pattern)].map(([, name = '']) => name);
}

/** The words of a service's commands for operators. */
function wordsOf(service: string): string[] {
  const admin = join(root, 'services', service, 'src/admin');
  return readdirSync(admin, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.ts'))
    .flatMap((file) => [...readFileSync(join(admin, file), 'utf8').matchAll(/\bwords: '([^']+)'/g)])
    .map(([, words = '']) => words);
}

it('a command block that fails makes a page fail, and so does a fence with another mark', async () => {
  const page = `${text('install-gke.md')}\n\`\`\`sh\nkubectl kustomize no/such/overlay\n\`\`\`\n`;
  const last = stepsOf(page).at(-1);
  expect(last).toMatchObject({ isRun: true, command: 'kubectl kustomize no/such/overlay\n' });
  const home = await tempFolder();
  await expect(runPage(commandsOf(last ? [last] : [], []), home.path)).rejects.toThrow(/ended with/);
  await home.remove();
  expect(() => stepsOf('```sh not run\nx\n```\n')).toThrow('line 1: sh not run is not a fence of our pages');
  expect(() => commandsOf(stepsOf(page), [['a value that is gone', 'x']])).toThrow('a value that is gone');
});

type WrittenSecret = { metadata: { name: string }; stringData: Record<string, string> };
type Compose = { services: { casewatch: { environment: Record<string, unknown> } } };
type Rendered = {
  kind: string;
  metadata: { name: string; namespace?: string; annotations?: Record<string, string> };
  data?: Record<string, string>;
  spec?: {
    secretName?: string;
    template?: {
      spec: {
        containers: { envFrom?: { configMapRef: { name: string } }[] }[];
        volumes?: { secret?: { secretName: string; optional?: boolean } }[];
      };
    };
  };
};

// Quotes and slashes, as SES gives passwords; none of them may look like an example, which services refuse.
const confidential = ['BGx1Y/aB+cD3kQ9mN2pR5tV8wZ1cD4fG6hJ0=', 'Zx8kq0pLm3nR7tVw'];
const common: Values = [
  ["'your id'", 'k2J9x0Qm4Zp7'],
  ["'your secret'", `${confidential[1]}`],
];
/** `pods`: with the seven Jobs of the preflight. */
type Cluster = { overlay: string; values: Values; natsUrl: string; mongodbUrl: RegExp; pods: number };
const atlas = {
  natsUrl: 'tls://nats:4222',
  mongodbUrl:
    /^mongodb\+srv:\/\/cases:[\w-]{43}@casewatch-pl-0\.abc12\.mongodb\.net\/cases\?tls=true&authSource=admin$/,
  pods: 14,
};
const ofClouds: Values = [
  ["'the password of SMTP'", `'${confidential[0]}'`],
  // The page takes the repository at a release; kustomize finds this checkout by a path from the overlay.
  ['BASE="https://github.com/$REPOSITORY//deploy/k8s/"', 'BASE="$HERE/"'],
  ['?ref=$RELEASE', ''],
];
const clusters: Record<string, Cluster> = {
  'install-eks.md': {
    overlay: 'eks',
    values: [...ofClouds, ['AKIAEXAMPLE', 'AKIAQ7Z2M4X9']],
    ...atlas,
  },
  'install-gke.md': {
    overlay: 'gke',
    values: [...ofClouds, ["'the public key of the event webhook'", 'MFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAE']],
    ...atlas,
  },
  'install-own.md': {
    overlay: 'own',
    values: [['user:password@', `sender:${encodeURIComponent(confidential[0] ?? '')}@`]],
    natsUrl: 'nats://nats:4222',
    mongodbUrl:
      /^mongodb:\/\/cases:[\w-]{43}@mongodb-0\.mongodb,mongodb-1\.mongodb,mongodb-2\.mongodb\/cases\?replicaSet=rs0&authSource=admin$/,
    pods: 16,
  },
};

it('the calls of the pages are calls of the interface', () => {
  const { paths } = JSON.parse(readFileSync(join(docs, 'openapi.json'), 'utf8')) as {
    paths: Record<string, Record<string, object>>;
  };
  const known = Object.entries(paths).flatMap(([path, methods]) =>
    Object.keys(methods).map((method) => `${method} ${path.replaceAll(/\{\w+\}/g, '{}')}`),
  );
  const calls = pages.flatMap((page) =>
    stepsOf(text(page)).flatMap(({ command }) =>
      [...command.matchAll(/"\$GATEWAY(\/v1[^"]*)"(?: \\\n)?( +-d)?/g)].map(
        ([, path = '', body]) => `${body ? 'post' : 'get'} ${path.replaceAll(/\$\w+/g, '{}')}`,
      ),
    ),
  );
  expect(calls.length).toBeGreaterThan(1);
  expect(calls.filter((call) => !known.includes(call))).toEqual([]);
});

describeWithTools.each(Object.entries(clusters))(
  '%s from top to end',
  (page, { overlay, values, natsUrl, mongodbUrl, pods: podsOfAll }) => {
    let home: TempFolder;
    let work: string;
    let faults: string[];
    let objects: Rendered[];
    let secrets: Record<string, Record<string, string>>;
    /** Secrets of deploy/certificates.sh. */
    let byScript: string[];

    beforeAll(async () => {
      home = await tempFolder();
      // kustomize follows links before it reads a relative path.
      work = join(realpathSync(home.path), 'casewatch-install');
      const release = serviceNames.map((name) => ({
        name: `casewatch/${name}`,
        place: `registry.example/casewatch/${name}`,
        tag: '0.2.0',
        digest: `sha256:${'0a'.repeat(32)}`,
      }));
      writeFileSync(join(home.path, 'images.yaml'), digestsComponent(release));
      const here = relative(join(work, 'overlay'), realpathSync(deploy));
      const commands = commandsOf(
        stepsOf(text(page)),
        [...common, ...values.map(([ofPage, ours]) => [ofPage, ours.replace('$HERE', here)] as const)],
        [['images/kustomization.yaml', 'cp "$HOME/images.yaml" "$WORK/overlay/images/kustomization.yaml"']],
      );
      // What an operator adds to the overlay, such as the authority of a mail server, is for the Jobs too.
      const preflight = commands.findIndex(({ command }) => command.includes('"$WORK/preflight"'));
      const command = `echo 'commonAnnotations: {made-by: the-operator}' >> "$WORK/overlay/kustomization.yaml"\n`;
      commands.splice(preflight, 0, { line: 0, expected: null, command });
      faults = await runPage(commands, home.path);
      const rendered = (file: string) => objectsIn<Rendered>(readFileSync(join(work, file), 'utf8'));
      objects = rendered('preflight.yaml');
      const manifestsIn = (place: string) =>
        existsSync(join(work, place))
          ? readdirSync(join(work, place)).filter((name) => name.endsWith('.yaml'))
          : [];
      const files = manifestsIn('secrets');
      byScript = manifestsIn('certificates').map((name) => name.replace(/\.yaml$/, ''));
      secrets = Object.fromEntries(
        files.map((name) => {
          const [secret] = objectsIn<WrittenSecret>(readFileSync(join(work, 'secrets', name), 'utf8'));
          return [secret?.metadata.name, secret?.stringData];
        }),
      );
    }, patienceMs);
    afterAll(async () => {
      await home?.remove();
    });

    const ofKind = (kind: string) => objects.filter((object) => object.kind === kind);
    const settingsOf = (service: string) => {
      const [{ envFrom = [] } = {}] =
        ofKind('Deployment').find(({ metadata }) => metadata.name === service)?.spec?.template?.spec
          .containers ?? [];
      const names = envFrom.map(({ configMapRef }) => configMapRef.name);
      const maps = ofKind('ConfigMap').filter(({ metadata }) => names.includes(metadata.name));
      return Object.assign({}, ...maps.map(({ data }) => data)) as Record<string, string>;
    };

    it('prints what it shows', () => {
      expect(faults).toEqual([]);
    });

    it('gives every service settings and Secrets that it accepts', () => {
      const { ca, issue } = makeAuthority('services of a firm');
      for (const service of [...serviceNames, 'streams'] as const) {
        const { cert, key } = issue(service);
        const mounted: Record<string, string | undefined> = {
          '/run/secrets/tls/ca.crt': ca,
          '/run/secrets/tls/tls.crt': cert,
          '/run/secrets/tls/tls.key': key,
          '/run/secrets/nats/ca.crt': ca,
        };
        for (const [name, value] of Object.entries(secrets[`${service}-secrets`] ?? {}))
          mounted[`/run/secrets/casewatch/${name}`] = value;
        const settings = settingsOf(service);
        const env = Object.fromEntries(
          Object.entries(settings).map(([name, value]) => {
            if (!name.endsWith('_FILE')) return [name, value];
            expect([service, value, typeof mounted[value]]).toEqual([service, value, 'string']);
            return [name.replace(/_FILE$/, ''), mounted[value]];
          }),
        );
        // The image says where it listens.
        const config = service === 'streams' ? streamsConfig : serviceConfigs[service];
        expect(readConfig(config, { PORT: '8080', ...env })).toMatchObject({
          NODE_ENV: 'production',
          NATS_URL: natsUrl,
          NATS_USER: service,
        });
        // No file of a Secret without a setting that reads it.
        const read = Object.values(settings);
        expect(
          Object.keys(mounted).filter((path) => path.includes('/casewatch/') && !read.includes(path)),
        ).toEqual([]);
      }
      expect(settingsOf('gateway').PUBLIC_URL).toBe('https://cases.firm.example');
      expect(secrets['cases-secrets']?.MONGODB_URL).toMatch(mongodbUrl);
      expect(secrets['notifier-secrets']?.SMTP_URL).toContain('BGx1Y%2FaB%2BcD3');
    });

    it('gives the Jobs of the preflight what its overlay has', () => {
      const jobs = ofKind('Job');
      expect(jobs).toHaveLength(7);
      for (const { metadata } of jobs)
        expect([metadata.name, metadata.annotations?.['made-by']]).toEqual([metadata.name, 'the-operator']);
    });

    it('leaves no Secret to guess: each one that a pod mounts is written, or a Certificate makes it', () => {
      const made = new Set([
        ...Object.keys(secrets),
        ...ofKind('Certificate').map(({ spec }) => spec?.secretName ?? ''),
        ...byScript,
      ]);
      const pods = objects.flatMap(({ spec }) => spec?.template?.spec ?? []);
      expect(pods.length).toBe(podsOfAll);
      const wanted = pods.flatMap(({ volumes = [] }) =>
        volumes.flatMap(({ secret }) => (secret && !secret.optional ? [secret.secretName] : [])),
      );
      expect([...new Set(wanted)].filter((name) => !made.has(name))).toEqual([]);
      // NATS of the chart mounts these.
      for (const name of ['nats-users', 'nats-tls']) expect(made).toContain(name);
    });

    it('names only objects that its overlay has, in its namespace', () => {
      const kinds: Record<string, string> = {
        deploy: 'Deployment',
        ingress: 'Ingress',
        gateway: 'Gateway',
        certificate: 'Certificate',
        secret: 'Secret',
      };
      const markdown = text(page);
      const named = [
        ...markdown.matchAll(/\b(deploy|ingress|gateway|certificate|secret)\/([a-z][a-z-]*)\b(?!\/|\.sh\b)/g),
      ];
      expect(named.length).toBeGreaterThan(3);
      for (const [found, kind = '', name = ''] of named)
        expect([found, ofKind(kinds[kind] ?? '').some(({ metadata }) => metadata.name === name)]).toEqual([
          found,
          true,
        ]);
      const namespaces = [...markdown.matchAll(/(?:-n|--namespace) ([a-z-]+)/g)].map(([, name]) => name);
      const others = ['kube-system', 'cert-manager'];
      expect([...new Set(namespaces)].filter((name) => !others.includes(name ?? ''))).toEqual(['casewatch']);
      expect(ofKind('Namespace').map(({ metadata }) => metadata.name)).toEqual(['casewatch']);
      for (const { kind, metadata } of objects)
        if (kind !== 'Namespace')
          expect([kind, metadata.name, metadata.namespace]).toEqual([kind, metadata.name, 'casewatch']);
    });

    it('shows no secret in what is applied, and changes nothing in the repository', () => {
      const manifest = readFileSync(join(work, 'preflight.yaml'), 'utf8');
      for (const secret of [...confidential, ...Object.values(secrets['mongodb-users'] ?? {})])
        expect(manifest).not.toContain(secret);
      expect(existsSync(join(deploy, 'overlays', overlay, 'kustomization.yaml.bak'))).toBe(false);
    });
  },
);

describe('the blocks of the pages for every cluster', () => {
  /** In place of a cluster: it refuses a folder without Secrets. */
  const kubectl = (place: string) => `kubectl() {
  for word in "$@"; do
    case $word in ${place}/*) grep -q 'kind: Secret' "$word"/*.yaml || return 1;; esac
  done
}`;
  const members = (name: string, domain: string) => [0, 1, 2].map((member) => `${name}-${member}.${domain}`);
  const hostsOfCertificates: Record<string, string[]> = {
    ...Object.fromEntries(['identity', 'cases', 'webhooks', 'notifier'].map((name) => [name, [name]])),
    nats: members('nats', 'nats-members'),
    mongodb: members('mongodb', 'mongodb'),
  };
  let home: TempFolder;
  beforeEach(async () => {
    home = await tempFolder();
  });
  afterEach(() => home.remove());

  it(
    'make the Secrets that the overlay of production mounts, and certificates that pods can use',
    async () => {
      const place = realpathSync(home.path);
      const blocks = commandsOf(
        stepsOf(text('../operations.md')).filter(({ isRun }) => isRun),
        [
          ['../casewatch', `${place}/casewatch`],
          ['user:password@', 'sender:q7Xk0Pz3Lm9R@'],
          ['USCIS_CLIENT_ID=', 'USCIS_CLIENT_ID=k2J9x0Qm4Zp7'],
          ['USCIS_CLIENT_SECRET=', 'USCIS_CLIENT_SECRET=Zx8kq0pLm3nR7tVw'],
        ],
      );
      const certificates = commandsOf(
        stepsOf(text('secrets.md')).filter(({ isRun }) => isRun),
        [['../casewatch', `${place}/casewatch`]],
      );
      const first = { line: 0, expected: null, command: kubectl(place) };
      // Twice: what is renewed has the same authority.
      expect(await runPage([first, ...blocks, ...certificates, ...certificates], place)).toEqual([]);
      const written = readdirSync(join(place, 'casewatch-secrets')).filter((name) => name.endsWith('.yaml'));
      expect(written).toEqual(
        expect.arrayContaining([...serviceNames, 'streams'].map((name) => `${name}-secrets.yaml`)),
      );
      const made = join(place, 'casewatch-certificates');
      const authority = new X509Certificate(readFileSync(join(made, 'authority/ca.crt')));
      for (const [name, hosts] of Object.entries(hostsOfCertificates)) {
        const [secret] = objectsIn<{ metadata: { namespace: string }; data: Record<string, string> }>(
          readFileSync(join(made, `${name}-tls.yaml`), 'utf8'),
        );
        const file = (key: string) => Buffer.from(secret?.data[key] ?? '', 'base64');
        const certificate = new X509Certificate(file('tls.crt'));
        expect(secret?.metadata.namespace).toBe('casewatch');
        expect(certificate.verify(authority.publicKey)).toBe(true);
        expect(certificate.checkPrivateKey(createPrivateKey(file('tls.key')))).toBe(true);
        expect(hosts.map((host) => certificate.checkHost(host))).toEqual(hosts);
        expect(certificate.ca).toBe(false);
      }
    },
    patienceMs,
  );
});

describe('small.md from top to end', () => {
  const compose = readFileSync(join(root, 'deploy/small/docker-compose.yml'), 'utf8');
  const [{ services }] = objectsIn(compose) as [Compose];

  it('has a compose project of its own, which the commands of the page for operators find', () => {
    const nameOf = (text: string) => /^name: (.+)$/m.exec(text)?.[1];
    const project = nameOf(compose);
    // docker compose down --volumes of the demonstration would delete the firm's data.
    expect(project).not.toBe(nameOf(readFileSync(join(root, 'docker-compose.yml'), 'utf8')));
    expect(services.casewatch.environment.OPERATOR_EXEC).toMatch(
      new RegExp(`^docker exec ${project}-casewatch-1 .*\\{words\\}$`),
    );
  });

  it('names only services of its compose file', () => {
    // `compose up -d a b`, `compose run --rm a command …`, `… exec -T a command …`
    const calls = text('small.md').matchAll(
      /(?:compose|\.yml) (up -d|run --rm|exec(?: -T)?)((?: [a-z][a-z-]*)*)/g,
    );
    const named = [...calls].flatMap(([, verb, words = '']) => {
      const names = words.split(' ').filter((word) => word !== '');
      return verb === 'up -d' ? names : names.slice(0, 1);
    });
    expect(named.length).toBeGreaterThan(4);
    expect(named.filter((name) => !(name in services))).toEqual([]);
  });

  it(
    'gives the one process settings that it accepts',
    async () => {
      const home = await tempFolder();
      const place = join(home.path, 'srv');
      const steps = stepsOf(text('small.md'));
      const values: Values = [
        ['/srv/', `${place}/`],
        ['user:password@', 'sender:q7Xk0Pz3Lm9R@'],
        ['your-id', 'k2J9x0Qm4Zp7'],
        ['your-secret', 'Zx8kq0pLm3nR7tVw'],
      ];
      expect(await runPage(commandsOf(steps, values), home.path)).toEqual([]);
      const linesOf = (file: string) =>
        Object.fromEntries(
          [...readFileSync(join(place, 'casewatch', file), 'utf8').matchAll(/^(\w+)='?([^']*?)'?$/gm)].map(
            ([, name = '', value = '']) => [name, value],
          ),
        );
      const ofCompose = Object.fromEntries(
        Object.entries(services.casewatch.environment).map(([name, value]) => [name, String(value)]),
      );
      const { environments } = readSettings({
        ...ofCompose,
        ...linesOf('casewatch.env'),
        ...linesOf('settings.env'),
      });
      expect(environments.gateway.PUBLIC_URL).toBe('https://cases.firm.example');
      await home.remove();
    },
    patienceMs,
  );
});

it('every install page is one of these', () => {
  const files = readdirSync(folder).filter((name) => name.startsWith('install-'));
  expect(files.sort()).toEqual(pages.filter((name) => name.startsWith('install-')));
});
