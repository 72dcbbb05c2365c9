import { startMongo, startNats, type TestMongo, type TestNats } from '@casewatch/testing';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { startTestWebhooks, type TestWebhooks } from '../support/start-webhooks.ts';

const names: Record<string, string[]> = {
  'example.com': ['93.184.215.14', '2606:2800:21f:cb07:6820:80da:af6b:8b2c'],
  'mixed.example': ['93.184.215.14', '10.0.0.8'],
  'mapped.example': ['::ffff:169.254.169.254'],
  'nat64.example': ['64:ff9b::a9fe:a9fe'],
  'metadata.example': ['169.254.169.254'],
  'loopback.example': ['127.0.0.1'],
  'denied.example': ['93.184.216.34'],
  'none.example': [],
};

async function resolve(host: string): Promise<string[]> {
  const addresses = names[host];
  if (!addresses) throw Object.assign(new Error('servfail'), { code: 'ESERVFAIL' });
  return addresses;
}

let mongo: TestMongo;
let nats: TestNats;
let service: TestWebhooks;

beforeAll(async () => {
  [mongo, nats] = await Promise.all([startMongo(), startNats()]);
  const env = { WEBHOOKS_ALLOW_LOOPBACK: 'false', WEBHOOKS_DENIED_NETWORKS: '93.184.216.0/24' };
  service = await startTestWebhooks({ mongo, nats, resolve, env });
});
afterAll(async () => {
  await service.stop();
  await Promise.all([mongo.stop(), nats.stop()]);
});

/** One sentence, whatever the reason: else registering would tell which names exist inside, and where they lead. */
const notPublic = 'This address cannot receive webhooks: its host must have public addresses only.';

const hostile: [url: string, reason: string][] = [
  ['http://example.com/', 'must begin with https'],
  ['ftp://example.com/', 'must begin with https'],
  ['file:///etc/passwd', 'must begin with https'],
  ['javascript:alert(1)', 'must begin with https'],
  ['example.com/hook', 'not a valid URL'],
  ['https://', 'not a valid URL'],
  ['https://exa mple.com/', 'spaces'],
  ['https://exam\tple.com/', 'control characters'],
  ['https:\\\\example.com\\', 'backslashes'],
  ['https://user:pass@example.com/', 'user name'],
  ['https://@example.com/', 'user name'],
  ['https://example.com@10.0.0.1/', 'user name'],
  ['https://example.com/#part', 'fragment'],
  ['https://example.com/#', 'fragment'],
  ['https://example.com:80/', 'ports'],
  ['https://example.com:22/', 'ports'],
  ['https://example.com:27017/', 'ports'],
  ['http://127.0.0.1/', 'must begin with https'],
  ['http://localhost:4010/', 'must begin with https'],
  ['https://127.0.0.1/', notPublic],
  ['https://127.1/', notPublic],
  ['https://0x7f.1/', notPublic],
  ['https://2130706433/', notPublic],
  ['https://0177.0.0.1/', notPublic],
  ['https://１２７.０.０.１/', notPublic],
  ['https://localhost/', notPublic],
  ['https://LOCALHOST./', notPublic],
  ['https://a.localhost/', notPublic],
  ['https://[::1]/', notPublic],
  ['https://0.0.0.0/', notPublic],
  ['https://10.1.2.3/', notPublic],
  ['https://172.16.0.1/', notPublic],
  ['https://192.168.1.1:8443/', notPublic],
  ['https://169.254.169.254/latest/meta-data/', notPublic],
  ['https://100.100.100.200/', notPublic],
  ['https://168.63.129.16/', notPublic],
  ['https://198.18.0.1/', notPublic],
  ['https://224.0.0.1/', notPublic],
  ['https://255.255.255.255/', notPublic],
  ['https://[::]/', notPublic],
  ['https://[fe80::1]/', notPublic],
  ['https://[fd00:ec2::254]/', notPublic],
  ['https://[ff02::1]/', notPublic],
  ['https://[2001:db8::1]/', notPublic],
  ['https://[::7f00:1]/', notPublic],
  ['https://[::ffff:10.0.0.1]/', notPublic],
  ['https://[::ffff:127.0.0.1]/', notPublic],
  ['https://[64:ff9b::a9fe:a9fe]/', notPublic],
  ['https://[64:ff9b:1::a00:1]/', notPublic],
  ['https://[2002:7f00:1::]/', notPublic],
  ['https://[2002:a00:1::]/', notPublic],
  ['https://[2001:0:5db8:d70e::f5ff:fffe]/', notPublic], // Teredo: public server, client 10.0.0.1
  ['https://mixed.example/', notPublic],
  ['https://mapped.example/', notPublic],
  ['https://nat64.example/', notPublic],
  ['https://metadata.example/', notPublic],
  ['https://loopback.example/', notPublic],
  ['https://none.example/', notPublic],
  ['https://denied.example/', notPublic],
  ['https://93.184.216.34/', notPublic],
  ['https://unknown.example/', notPublic],
];

describe('addresses of webhooks', () => {
  it.each(hostile)('refuses %s: %s', async (url, reason) => {
    const answer = await service.call(1, 'POST', '/v1/webhooks', { url, events: ['*'] });
    expect([answer.status, answer.body.code]).toEqual([400, 'webhook_url_not_allowed']);
    expect(answer.body.errors).toMatchObject([{ in: 'body', pointer: '#/url' }]);
    expect(answer.body.message).toContain(reason);
    if (reason === notPublic)
      expect(answer.body.errors?.[0]?.message).toBe('its host must have public addresses only');
  });

  it.each([
    ['https://example.com', 'https://example.com/'],
    ['https://EXAMPLE.com:8443/Hook?a=b', 'https://example.com:8443/Hook?a=b'],
    ['https://93.184.215.14/', 'https://93.184.215.14/'],
    ['https://[2606:2800:21f:cb07::1]/', 'https://[2606:2800:21f:cb07::1]/'],
    ['https://example.com/a@b', 'https://example.com/a@b'],
  ])('accepts %s', async (url, shown) => {
    const answer = await service.call(2, 'POST', '/v1/webhooks', { url, events: ['*'] });
    expect([answer.status, answer.body.webhook?.url]).toEqual([201, shown]);
  });

  it('refuses more than 2,048 characters', async () => {
    const url = `https://example.com/${'a'.repeat(2_100)}`;
    const answer = await service.call(1, 'POST', '/v1/webhooks', { url, events: ['*'] });
    expect(answer.status).toBe(400);
  });
});
