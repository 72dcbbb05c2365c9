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

  it('is a 404 if there is no logo, and only a valid name is looked up', async () => {
    asked.length = 0;
    const paths = ['bbbbbbbbbbbbbbbbbbbbbb.png', 'x.png', `${name}.svg`, 'a%2F..%2Faaaaaaaaaaaaaaaaa.png'];
    for (const path of paths) expect((await fetchLogo(path)).status).toBe(404);
    expect(asked).toEqual(['bbbbbbbbbbbbbbbbbbbbbb.png']);
  });

  it('asks identity once for a name that is missing, while it is remembered', async () => {
    asked.length = 0;
    const path = 'cccccccccccccccccccccc.png';
    for (let i = 0; i < 5; i += 1) expect((await fetchLogo(path)).status).toBe(404);
    expect(asked.filter((asked) => asked === path).length).toBeLessThan(5);
  });
});

describe('names that are no logos', () => {
  it.each(['one after the other', 'at once'])(
    'are asked for within the limit of the address only: %s',
    async (how) => {
      const gateway = await startTestGateway({ RATE_LIMIT_ADDRESS_PER_MINUTE: '20' });
      let asked = 0;
      gateway.identity.bus.serve('identity.logo', async (question) => {
        asked += 1;
        return { content: question.name === name ? png.toString('base64') : null };
      });
      await gateway.identity.bus.connection.flush();
      const visit = async (logo: string) => {
        const response = await fetch(`${gateway.url}/logos/${logo}`);
        return [response.status, response.headers.get('retry-after') !== null];
      };
      try {
        expect(await visit(name)).toEqual([200, false]);
        asked = 0;
        const names = Array.from({ length: 60 }, (_, i) => `${String(i).padStart(22, 'd')}.png`);
        const answers: unknown[] = [];
        if (how === 'at once') answers.push(...(await Promise.all(names.map(visit))));
        else for (const logo of names) answers.push(await visit(logo));
        expect(asked).toBe(20);
        expect(answers.filter((answer) => String(answer) === '404,false')).toHaveLength(20);
        expect(answers.filter((answer) => String(answer) === '429,true')).toHaveLength(40);
        // A logo that is known is still served.
        expect(await visit(name)).toEqual([200, false]);
      } finally {
        await gateway.stop();
      }
    },
  );
});
