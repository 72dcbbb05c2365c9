import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { copyFileSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { serviceNames, streamsOf } from '@casewatch/contracts';
import { connectBus, createLogger, keepStreams, natsUsers } from '@casewatch/platform';
import { freePort, makeAuthority, publishToStream, resolveBinary, tempFolder } from '@casewatch/testing';
import { afterEach, describe, expect, it } from '@jest/globals';
import { parse } from 'yaml';
import { checkNatsUsers, natsUsersConf } from '../../src/manifests/nats-users.ts';
import { DEPLOY } from '../../src/verify/settings.ts';

const read = (path: string) => readFileSync(join(DEPLOY, path), 'utf8');
const values = parse(read('components/nats-chart/values.yaml'));
const { configMap } = parse(read('components/nats-chart/users.yaml'));

describe('the values of the chart nats/nats', () => {
  it('have the generated accounts, users and rights, and those of components/nats', () => {
    const [, ...lines] = natsUsersConf().split('\n');
    expect(configMap.merge.data).toEqual({ 'users.conf': lines.join('\n') });
    expect(read('components/nats/users.conf').split('\n').slice(1)).toEqual(lines);
    expect(values.config.merge).toEqual({ $include: 'users.conf' });
    expect(checkNatsUsers()).toEqual([]);
  });

  it('give each user its password from the Secret of npm run secrets, quoted, from a variable before it', () => {
    const { env } = values.container;
    const { GOMEMLIMIT, ...passwords } = env;
    expect(Object.keys(passwords)).toHaveLength(2 * natsUsers.length);
    for (const user of natsUsers) {
      const [secret, password] = [`FROM_SECRET_${user.toUpperCase()}`, `NATS_PASSWORD_${user.toUpperCase()}`];
      expect(env[secret]).toEqual({ valueFrom: { secretKeyRef: { name: 'nats-users', key: user } } });
      expect(env[password]).toBe(`"$(${secret})"`);
      // The chart sorts the names, and Kubernetes replaces only variables that it has read.
      expect(Object.keys(env).sort().indexOf(secret)).toBeLessThan(Object.keys(env).sort().indexOf(password));
    }
  });

  it('take as much memory and disk as components/nats, and spread over nodes in the same way', () => {
    const { spec } = parse(read('components/nats/statefulset.yaml'));
    const [ours] = spec.template.spec.containers;
    const { container, config, podTemplate } = values;
    expect(container.merge.resources).toEqual(ours.resources);
    expect(container.merge.securityContext).toEqual(ours.securityContext);
    expect(container.env.GOMEMLIMIT).toBe(
      ours.env.find(({ name }: { name: string }) => name === 'GOMEMLIMIT').value,
    );
    expect(podTemplate.merge.spec.securityContext).toEqual(spec.template.spec.securityContext);
    expect(podTemplate.topologySpreadConstraints['kubernetes.io/hostname'].whenUnsatisfiable).toBe(
      'DoNotSchedule',
    );
    expect(config.cluster.replicas).toBe(spec.replicas);
    const [claim] = spec.volumeClaimTemplates;
    expect(config.jetstream.fileStore.pvc.size).toBe(claim.spec.resources.requests.storage);
    const gib = (size: string) => Number(/^(\d+)Gi$/.exec(size)?.[1]);
    expect(gib(config.jetstream.fileStore.maxSize)).toBeLessThan(gib(config.jetstream.fileStore.pvc.size));
  });

  it('have a certificate for every name by which members and services are reached', () => {
    const { spec } = parse(read('components/nats-chart/certificate.yaml'));
    const members = Array.from(
      { length: values.config.cluster.replicas },
      (_, i) => `nats-${i}.nats-headless`,
    );
    expect(spec.dnsNames).toEqual(['nats', ...members]);
    const { cluster, nats } = values.config;
    for (const { tls } of [cluster, nats])
      expect(tls).toEqual({ enabled: true, secretName: spec.secretName });
    expect(values.tlsCA).toEqual({ enabled: true, secretName: spec.secretName });
  });
});

describe('three members with the configuration that the chart makes of these values', () => {
  const stops: (() => Promise<unknown>)[] = [];
  afterEach(async () => {
    for (const stop of stops.splice(0).reverse()) await stop();
  });

  it('form a cluster over TLS, in which streams have three copies and each service publishes', async () => {
    const folder = await tempFolder();
    stops.push(folder.remove);
    const { ca, issue } = makeAuthority('services of a firm');
    const { cert, key } = issue('nats');
    const at = (name: string) => join(folder.path, name);
    for (const [name, text] of Object.entries({ 'ca.crt': ca, 'tls.crt': cert, 'tls.key': key }))
      writeFileSync(at(name), text);
    writeFileSync(at('users.conf'), configMap.merge.data['users.conf']);
    const ports = await Promise.all(Array.from({ length: 6 }, () => freePort()));
    const passwordOf = (user: string) => `1${user}-0aB3xY7kQ9mN2pR5tV8wZ`;
    // As Kubernetes makes the variables: the Secret's, then those that name them.
    const env = Object.fromEntries(
      natsUsers.map((user) => {
        const pattern: string = values.container.env[`NATS_PASSWORD_${user.toUpperCase()}`];
        return [`NATS_PASSWORD_${user.toUpperCase()}`, pattern.replace(/\$\(\w+\)/, passwordOf(user))];
      }),
    );
    const { path: binary } = await resolveBinary('nats-server');
    const tls = `tls { cert_file: "${at('tls.crt')}", key_file: "${at('tls.key')}", ca_file: "${at('ca.crt')}" }`;
    const routes = ports.slice(3).map((port) => `"tls://127.0.0.1:${port}"`);
    for (const [i, port] of ports.slice(0, 3).entries()) {
      const dir = at(`nats-${i}`);
      mkdirSync(dir);
      copyFileSync(at('users.conf'), join(dir, 'users.conf'));
      const { merge, memoryStore, fileStore } = values.config.jetstream;
      // The chart writes these blocks; `$include` of config.merge becomes the last line.
      const conf = [
        `server_name: "nats-${i}"`,
        `listen: "127.0.0.1:${port}"`,
        tls,
        `cluster { name: nats, listen: "127.0.0.1:${ports[3 + i]}", no_advertise: true, routes: [${routes.join(', ')}], ${tls} }`,
        `jetstream { store_dir: "${dir}", max_memory_store: ${memoryStore.maxSize}, max_file_store: ${fileStore.maxSize}, sync_interval: ${merge.sync_interval} }`,
        `include ${values.config.merge.$include};`,
      ];
      writeFileSync(join(dir, 'nats.conf'), `${conf.join('\n')}\n`);
      const member = spawn(binary, ['--config', join(dir, 'nats.conf')], { env, stdio: 'ignore' });
      stops.push(async () => {
        const ended = once(member, 'exit');
        if (member.kill('SIGKILL')) await ended;
      });
    }
    const url = ports
      .slice(0, 3)
      .map((port) => `tls://127.0.0.1:${port}`)
      .join(',');
    const accessOf = (user: string) => ({ url, user, password: passwordOf(user), tls: { ca } });
    const log = createLogger('streams', 'silent');
    // It waits for the members to find each other.
    const keeper = await keepStreams({ access: accessOf('streams'), replicas: 3, log });
    stops.push(() => keeper.stop());
    for (const service of serviceNames) {
      const bus = await connectBus({ service, log, ...accessOf(service) });
      const [type] = streamsOf(service).flatMap(({ subjects }) => subjects);
      if (type)
        expect([service, await publishToStream(bus, type, {} as never)]).toEqual([
          service,
          expect.any(String),
        ]);
      await bus.stop();
    }
  });
});
