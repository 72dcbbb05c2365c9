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
  service = await startTestWebhooks({ mongo, nats, resolve, env: { WEBHOOKS_ALLOW_LOOPBACK: 'false' } });
});
afterAll(async () => {
  await service.stop();
  await Promise.all([mongo.stop(), nats.stop()]);
});

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
  ['https://127.0.0.1/', 'loopback'],
  ['https://127.1/', 'loopback'],
  ['https://0x7f.1/', 'loopback'],
  ['https://2130706433/', 'loopback'],
  ['https://0177.0.0.1/', 'loopback'],
  ['https://１２７.０.０.１/', 'loopback'],
  ['https://localhost/', 'loopback'],
  ['https://LOCALHOST./', 'loopback'],
  ['https://a.localhost/', 'loopback'],
  ['https://[::1]/', 'loopback'],
  ['https://0.0.0.0/', 'unspecified'],
  ['https://10.1.2.3/', 'private'],
  ['https://172.16.0.1/', 'private'],
  ['https://192.168.1.1:8443/', 'private'],
  ['https://169.254.169.254/latest/meta-data/', 'link local'],
  ['https://100.100.100.200/', 'carrier grade nat'],
  ['https://168.63.129.16/', 'reserved'],
  ['https://198.18.0.1/', 'reserved'],
  ['https://224.0.0.1/', 'multicast'],
  ['https://255.255.255.255/', 'broadcast'],
  ['https://[::]/', 'unspecified'],
  ['https://[fe80::1]/', 'link local'],
  ['https://[fd00:ec2::254]/', 'unique local'],
  ['https://[ff02::1]/', 'multicast'],
  ['https://[2001:db8::1]/', 'reserved'],
  ['https://[::7f00:1]/', 'reserved'],
  ['https://[::ffff:10.0.0.1]/', 'private'],
  ['https://[::ffff:127.0.0.1]/', 'loopback'],
  ['https://[64:ff9b::a9fe:a9fe]/', 'link local'],
  ['https://[64:ff9b:1::a00:1]/', 'reserved'],
  ['https://[2002:7f00:1::]/', 'loopback'],
  ['https://[2002:a00:1::]/', 'private'],
  ['https://[2001:0:5db8:d70e::f5ff:fffe]/', 'private'], // Teredo: public server, client 10.0.0.1
  ['https://mixed.example/', 'private'],
  ['https://mapped.example/', 'link local'],
  ['https://nat64.example/', 'link local'],
  ['https://metadata.example/', 'link local'],
  ['https://loopback.example/', 'loopback'],
  ['https://none.example/', 'no address'],
  ['https://unknown.example/', 'could not be resolved'],
];

describe('addresses of webhooks', () => {
  it.each(hostile)('refuses %s: %s', async (url, reason) => {
    const answer = await service.call(1, 'POST', '/v1/webhooks', { url, events: ['*'] });
    expect([answer.status, answer.body.code]).toEqual([400, 'webhook_url_not_allowed']);
    expect(answer.body.errors).toMatchObject([{ in: 'body', pointer: '#/url' }]);
    expect(answer.body.message).toContain(reason);
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
