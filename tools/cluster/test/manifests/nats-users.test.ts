import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { serviceNames, streamsOf } from '@casewatch/contracts';
import { connectBus, createLogger, keepStreams, natsRightsOf } from '@casewatch/platform';
import { freePort, publishToStream, resolveBinary, startNatsServer, tempFolder } from '@casewatch/testing';
import { expect, it } from '@jest/globals';
import { checkNatsUsers, natsUsersConf, natsUsersFile } from '../../src/manifests/nats-users.ts';

it('gives every service a user with the rights that the registries give it, and a password from the environment', () => {
  const text = natsUsersConf();
  const cases = text.slice(text.indexOf('user: cases'), text.indexOf('user: monitor'));
  expect(cases).toContain('password: $NATS_PASSWORD_CASES');
  const rights = natsRightsOf('cases');
  for (const subject of [...(rights?.publish ?? []), ...(rights?.subscribe ?? [])])
    expect(cases).toContain(JSON.stringify(subject));
});

it('is what the deployment has', () => {
  expect(checkNatsUsers()).toEqual([]);
});

it('lets the streams be declared, and each service publish, with the passwords of the environment', async () => {
  const folder = await tempFolder();
  const conf = readFileSync(natsUsersFile, 'utf8');
  const passwordOf = (user: string) => `secret-of-${user}`;
  const authorization = conf.replaceAll(/\$NATS_PASSWORD_(\w+)/g, (_, user: string) =>
    JSON.stringify(passwordOf(user.toLowerCase())),
  );
  const { path: binary } = await resolveBinary('nats-server');
  const files = { dataDir: join(folder.path, 'data'), logFile: join(folder.path, 'nats.log') };
  const server = await startNatsServer({ binary, port: await freePort(), authorization, ...files });
  const accessOf = (user: string) => ({ url: server.url, user, password: passwordOf(user) });
  try {
    const log = createLogger('streams', 'silent');
    await (await keepStreams({ access: accessOf('streams'), replicas: 1, log })).stop();
    for (const service of serviceNames) {
      const bus = await connectBus({ service, log, ...accessOf(service) });
      const [type] = streamsOf(service).flatMap(({ subjects }) => subjects);
      if (type) await expect(publishToStream(bus, type, {} as never)).resolves.toEqual(expect.any(String));
      expect(bus.isConnected()).toBe(true);
      await bus.stop();
    }
  } finally {
    await server.stop(0);
    await folder.remove();
  }
});
