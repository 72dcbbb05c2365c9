import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Webhook } from 'standardwebhooks';
import { type Sandbox, startSandbox } from '../src/index.ts';
import { call } from './support.ts';

let sandbox: Sandbox;

const SECRET = `whsec_${Buffer.alloc(32, 7).toString('base64')}`;
const BODY = '{"id": "evt_1",  "type":"webhook.ping"}';
const hook = (name: string) => `${sandbox.receiver_url}/hooks/${name}`;
const control = (name: string) => `${sandbox.receiver_url}/sandbox/hooks/${name}`;
const received = async (name: string) => (await call('GET', control(name))).json;

function signed(secret: string) {
  const at = new Date();
  return {
    'webhook-id': 'evt_1',
    'webhook-timestamp': String(Math.floor(at.getTime() / 1000)),
    'webhook-signature': new Webhook(secret).sign('evt_1', at, BODY),
  };
}

beforeAll(async () => {
  sandbox = await startSandbox();
});
afterAll(() => sandbox.stop());

describe('a hook', () => {
  it('keeps body and headers as received, oldest first, until it is cleared', async () => {
    await call('POST', hook('plain'), BODY, { 'content-type': 'application/json', 'X-Own': 'a' });
    await call('POST', hook('plain'), 'second');
    const calls = await received('plain');
    expect(calls).toMatchObject([
      { body: BODY, headers: { 'x-own': 'a' }, signature_ok: null, received_at: expect.stringMatching(/Z$/) },
      { body: 'second' },
    ]);
    await call('DELETE', control('plain'));
    expect(await received('plain')).toEqual([]);
  });

  it('verifies signatures with the Standard Webhooks library, also those sent before the secret was known', async () => {
    await call('POST', hook('signed'), BODY, signed(SECRET));
    await call('PUT', control('signed'), { secret: SECRET });
    await call('POST', hook('signed'), BODY, signed(SECRET));
    await call('POST', hook('signed'), BODY, signed(`whsec_${Buffer.alloc(32, 8).toString('base64')}`));
    await call('POST', hook('signed'), `${BODY} `, signed(SECRET));
    await call('POST', hook('signed'), BODY);
    const verdicts = (await received('signed')).map(
      ({ signature_ok }: { signature_ok: boolean }) => signature_ok,
    );
    expect(verdicts).toEqual([true, true, false, false, false]);
  });

  it('answers as told; what is left out stays, null puts it as new', async () => {
    await call('PUT', control('told'), { status: 503, headers: { 'retry-after': '7' }, delay_ms: 60 });
    await call('PUT', control('told'), { secret: SECRET });
    const started = performance.now();
    const response = await fetch(hook('told'), { method: 'POST', body: '{}' });
    expect([response.status, response.headers.get('retry-after')]).toEqual([503, '7']);
    expect(performance.now() - started).toBeGreaterThan(55);
    await call('PUT', control('told'), { status: null, delay_ms: null });
    expect((await call('POST', hook('told'), '{}')).status).toBe(200);
  });

  it('takes a mebibyte and no more', async () => {
    expect((await call('POST', hook('large'), 'x'.repeat(1024 * 1024))).status).toBe(200);
    expect((await call('POST', hook('large'), 'x'.repeat(1024 * 1024 + 1))).status).toBe(413);
    expect((await received('large'))[0].body).toHaveLength(1024 * 1024);
  });

  it('is refused a control body that is wrong', async () => {
    expect((await call('PUT', control('wrong'), { secret: 'whsec_%%' })).json.error).toContain('secret');
    expect((await call('PUT', control('wrong'), { colour: 'red' })).json.error).toContain(
      'unknown field "colour"',
    );
  });

  it('is shown on the page, escaped', async () => {
    await call('POST', hook('page'), '<img src=x>');
    const { text } = await call('GET', `${sandbox.receiver_url}/`);
    expect(text).toContain('&lt;img src=x&gt;');
    expect(text).not.toContain('<img');
  });
});
