import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { startTestGateway } from '../support/start-gateway.ts';

const png = Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex');
const name = 'aaaaaaaaaaaaaaaaaaaaaa.png';

describe('the logo of a partner', () => {
  let gateway: Awaited<ReturnType<typeof startTestGateway>>;
  const asked: string[] = [];
  beforeAll(async () => {
    gateway = await startTestGateway();
    gateway.identity.bus.serve('identity.logo', async (question) => {
      asked.push(question.name);
      return { content: question.name === name ? png.toString('base64') : null };
    });
    await gateway.identity.bus.connection.flush();
  });
  afterAll(async () => {
    await gateway.stop();
  });
  const fetchLogo = async (path: string) => await fetch(`${gateway.url}/logos/${path}`);

  it('comes from our origin as a picture only, to be kept for ever', async () => {
    const answers = [await fetchLogo(name), await fetchLogo(name)];
    for (const { status, headers } of answers) {
      expect([status, headers.get('content-type')]).toEqual([200, 'image/png']);
      expect(headers.get('cache-control')).toBe('public, max-age=31536000, immutable');
      expect(headers.get('x-content-type-options')).toBe('nosniff');
      expect(headers.get('content-security-policy')).toContain("default-src 'none'");
      expect(headers.get('cross-origin-resource-policy')).toBe('cross-origin');
    }
    expect(Buffer.from(await (answers[1] as Response).arrayBuffer())).toEqual(png);
    expect(asked).toEqual([name]);
  });

  it('is a 404 where there is none, and only a name that can be is looked up', async () => {
    asked.length = 0;
    const paths = ['bbbbbbbbbbbbbbbbbbbbbb.png', 'x.png', `${name}.svg`, 'a%2F..%2Faaaaaaaaaaaaaaaaa.png'];
    for (const path of paths) expect((await fetchLogo(path)).status).toBe(404);
    expect(asked).toEqual(['bbbbbbbbbbbbbbbbbbbbbb.png']);
  });
});
