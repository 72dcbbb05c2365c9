import { type Language, language } from '@casewatch/contracts';
import { ApiError } from '@casewatch/platform';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { peoplePages } from '../../src/pages/people/pages.ts';
import { startTestGateway } from '../support/start-gateway.ts';

const page = { accept: 'text/html', 'sec-fetch-site': 'same-origin' };
const tokens = {
  access_token: 'a.b.c',
  expires_in: 900,
  refresh_token: 's.1.x',
  refresh_expires_in: 1_209_600,
};
const email = 'ana@example.com';

describe('arriving alone', () => {
  let gateway: Awaited<ReturnType<typeof startTestGateway>>;
  const asked: { name: string; [field: string]: unknown }[] = [];
  /** By token, what identity says of a link. */
  const links: Record<string, { has_account: boolean } | undefined> = {};
  beforeAll(async () => {
    gateway = await startTestGateway();
    const { bus } = gateway.identity;
    bus.serve('identity.request_entry', async (request) => {
      asked.push({ name: 'entry', ...request });
      if (request.email.startsWith('busy')) throw new ApiError('rate_limited', { retryAfterS: 600 });
      return { request_id: `request-${asked.length}`.padEnd(12, '0'), expires_in: 600 };
    });
    bus.serve('identity.welcome', async (request) => {
      asked.push({ name: 'look', ...request });
      const link = links[request.token];
      return { welcome: link ? { email, ...link } : null };
    });
    bus.serve('identity.open_account', async (request) => {
      asked.push({ name: 'open', ...request });
      const link = links[request.token];
      if (!link) throw new ApiError('invalid_verification_token');
      if (link.has_account) throw new ApiError('email_already_exists');
      links[request.token] = undefined;
      return tokens;
    });
    await bus.connection.flush();
  });
  afterAll(async () => {
    await gateway.stop();
  });
  beforeEach(() => {
    asked.length = 0;
    Object.assign(links, { good: { has_account: false }, taken: { has_account: true }, used: undefined });
  });

  const get = async (path: string, headers: Record<string, string> = {}) => {
    const response = await fetch(gateway.url + path, {
      headers: { ...page, ...headers },
      redirect: 'manual',
    });
    return { status: response.status, headers: response.headers, text: await response.text() };
  };
  const post = async (path: string, fields: Record<string, string>, headers: Record<string, string> = {}) => {
    const response = await fetch(gateway.url + path, {
      method: 'POST',
      headers: { ...page, ...headers },
      body: new URLSearchParams(fields),
      redirect: 'manual',
    });
    return { status: response.status, headers: response.headers, text: await response.text() };
  };
  const cookiesOf = (headers: Headers) =>
    Object.fromEntries(headers.getSetCookie().map((line) => (line.split(';')[0] ?? '').split('=')));

  const said: Record<Language, { free: RegExp; whose: RegExp }> = {
    en: { free: /costs you nothing/, whose: /no part of the government, and no law firm/ },
    es: { free: /No le cuesta nada/, whose: /no es parte del gobierno ni una oficina de abogados/ },
    pt: { free: /Não custa nada/, whose: /não é do governo nem um escritório de advocacia/ },
  };

  it.each(language.options)('the front page says above its one field what this is, in %s', async (name) => {
    const { status, text } = await get(`/?language=${name}`);
    expect(status).toBe(200);
    const [above = '', ...below] = text.slice(text.indexOf('<h1>')).split('<form');
    expect(below).toHaveLength(1);
    expect(above).toContain('USCIS');
    expect(above).toMatch(said[name].free);
    expect(above).toMatch(said[name].whose);
    expect(text.match(/<input(?! type="hidden")/g)).toHaveLength(1);
    expect(text).not.toMatch(/<script(?! type="module" src=)/);
  });

  it('a typed address leads to one page, which says what the mail has for each', async () => {
    const answers = await Promise.all(
      ['known@example.com', 'fresh@example.com'].map((typed) =>
        post('/sign-in?language=pt', { email: typed }),
      ),
    );
    const pages = await Promise.all(
      answers.map(async ({ status, headers }) => {
        expect([status, headers.get('location')]).toEqual([303, '/sign-in/code']);
        const cookie = headers
          .getSetCookie()
          .map((line) => line.split(';')[0])
          .join('; ');
        return (await get('/sign-in/code', { cookie })).text;
      }),
    );
    const [known = '', fresh = ''] = pages;
    expect(known.replaceAll('known@', 'fresh@')).toBe(fresh);
    expect(fresh).toContain('código de seis números');
    expect(fresh).toContain('o e-mail traz um link');
    expect(asked.map(({ language }) => language)).toEqual(['pt', 'pt']);
  });

  it('what is no address is not asked about; a limit is a sentence', async () => {
    const none = await post('/sign-in', { email: 'ana' });
    expect([none.status, asked.length]).toEqual([400, 0]);
    expect(none.text).toContain('value="ana"');
    const busy = await post('/sign-in', { email: 'busy@example.com' });
    expect([busy.status, busy.text.includes('Please wait 10 minutes')]).toEqual([429, true]);
  });

  it.each(['/sign-in', '/welcome'])('a form of another site is refused: %s', async (path) => {
    const strangers: Record<string, string>[] = [
      { 'sec-fetch-site': 'cross-site' },
      { 'sec-fetch-site': 'same-site' },
      { 'sec-fetch-site': '', origin: 'https://evil.example' },
    ];
    for (const headers of strangers) {
      const { status } = await post(path, { email, token: 'good' }, headers);
      expect(status).toBe(403);
    }
    expect(asked).toEqual([]);
  });

  it('the link of a welcome shows a button and changes nothing, for a scanner and a prefetch, too', async () => {
    for (const headers of [
      {},
      { 'sec-purpose': 'prefetch' },
      { accept: '*/*' },
      { accept: 'application/json' },
    ]) {
      const { status, headers: answered, text } = await get('/welcome?token=good&language=pt', headers);
      expect([status, answered.get('referrer-policy')]).toEqual([200, 'no-referrer, strict-origin']);
      expect(text).toContain('<form method="post" action="/welcome"');
      expect(text).toContain('value="good"');
      expect(text).toContain('<html lang="pt-BR">');
      expect(text).toContain(email);
      expect(Object.keys(cookiesOf(answered))).toEqual(['language']);
    }
    expect((await fetch(`${gateway.url}/welcome?token=good`, { method: 'HEAD' })).status).toBe(200);
    expect(new Set(asked.map(({ name }) => name))).toEqual(new Set(['look']));
  });

  it('keeps the link where the reader chooses another language', async () => {
    const { text } = await get('/welcome?token=good&language=pt');
    expect(text).toContain('href="/welcome?token=good&amp;language=es"');
    expect((await get('/welcome?token=good&language=es')).text).toContain('<h1>Abra su cuenta</h1>');
  });

  it('its button opens a session and the first page', async () => {
    const { status, headers } = await post('/welcome?language=es', { token: 'good' });
    expect([status, headers.get('location')]).toEqual([303, '/start']);
    expect(cookiesOf(headers)).toMatchObject({ person: 'a.b.c', 'person-refresh': 's.1.x' });
    expect(asked).toEqual([expect.objectContaining({ name: 'open', token: 'good', language: 'es' })]);
  });

  it('a link that is used, or never was one, leads on to the field', async () => {
    for (const query of ['?token=used', '', '?token=', '?token=a&token=b', `?token=${'x'.repeat(300)}`]) {
      const { status, text } = await get(`/welcome${query}`);
      expect([status, text.includes('<form method="post" action="/sign-in"')]).toEqual([400, true]);
    }
    expect(asked).toEqual([expect.objectContaining({ token: 'used' })]);
    const pressed = await post('/welcome', { token: 'used' });
    expect([pressed.status, pressed.headers.getSetCookie()]).toEqual([400, []]);
    expect(pressed.text).toContain('<form method="post" action="/sign-in"');
  });

  it('an address that has an account by now leads on to a code', async () => {
    for (const { status, text, headers } of [
      await get('/welcome?token=taken'),
      await post('/welcome', { token: 'taken' }),
    ]) {
      expect([status, headers.getSetCookie()]).toEqual([409, []]);
      expect(text).toContain(`name="email" value="${email}"`);
      expect(text).toContain('<form method="post" action="/sign-in"');
    }
  });
});

describe('a link to a case, for somebody who is not signed in', () => {
  let gateway: Awaited<ReturnType<typeof startTestGateway>>;
  const path = '/cases/FLOW0000012';
  beforeAll(async () => {
    gateway = await startTestGateway();
    const { bus } = gateway.identity;
    bus.serve('identity.request_entry', async (request) => {
      if (request.email.startsWith('busy')) throw new ApiError('rate_limited', { retryAfterS: 600 });
      return { request_id: 'request-00001', expires_in: 600 };
    });
    await bus.connection.flush();
  });
  afterAll(async () => {
    await gateway.stop();
  });

  /** Keeps its cookies, and asks for German. */
  function newBrowser() {
    const cookies = new Map<string, string>();
    return async (where: string, fields?: Record<string, string>) => {
      const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ');
      const response = await fetch(gateway.url + where, {
        headers: { ...page, 'accept-language': 'de', cookie },
        redirect: 'manual',
        ...(fields && { method: 'POST', body: new URLSearchParams(fields) }),
      });
      for (const line of response.headers.getSetCookie()) {
        const [name = '', value = ''] = (line.split(';')[0] ?? '').split('=');
        cookies.set(name, value);
      }
      return { status: response.status, text: await response.text() };
    };
  }
  const nextIn = (text: string) =>
    [...text.matchAll(/name="next" value="([^"]*)"/g)].map(([, value = '']) => value);

  it('keeps the case and the language of the mail until the code is entered, also for a second code', async () => {
    const ask = newBrowser();
    const first = await ask(`${path}?language=pt&utm_source=mail`);
    expect([first.status, nextIn(first.text)]).toEqual([401, [path]]);
    expect(first.text).toContain('<html lang="pt-BR">');
    for (const language of ['en', 'es']) expect(first.text).toContain(`href="${path}?language=${language}"`);
    expect((await ask('/sign-in', { email, next: path })).status).toBe(303);
    const code = await ask('/sign-in/code');
    expect(code.text).toContain('<html lang="pt-BR">');
    expect(nextIn(code.text)).toEqual([path]);
    expect(code.text).toContain(`<a href="${path}">`);
  });

  it('keeps the way longer than a code is valid: who is late is asked for another code, not for everything', async () => {
    const { headers } = await fetch(`${gateway.url}/sign-in`, {
      method: 'POST',
      headers: page,
      body: new URLSearchParams({ email, next: path }),
      redirect: 'manual',
    });
    const [, seconds] = /^sign-in=[^;]+; Max-Age=(\d+);/.exec(headers.getSetCookie().join('\n')) ?? [];
    expect(Number(seconds)).toBeGreaterThanOrEqual(3_600);
  });

  it('keeps the case where the address is refused', async () => {
    for (const typed of ['none', 'busy@example.com']) {
      const { text } = await newBrowser()('/sign-in', { email: typed, next: path });
      expect(nextIn(text)).toEqual([path]);
      expect(text).toContain(`href="${path}?language=es"`);
    }
  });

  it.each([
    [`${path}/pause`, path],
    ['/settings/address', '/settings'],
    ['/cases/new', '/cases/new'],
  ])('as a form whose session has ended leads back to its page: %s', async (where, next) => {
    const { status, text } = await newBrowser()(where, {});
    expect([status, nextIn(text)]).toEqual([401, [next]]);
  });
});

describe('the address of a form that has no page', () => {
  let gateway: Awaited<ReturnType<typeof startTestGateway>>;
  beforeAll(async () => {
    gateway = await startTestGateway();
  });
  afterAll(async () => {
    await gateway.stop();
  });

  const shown = new Set(peoplePages.flatMap(({ method, path }) => (method === 'GET' ? [path] : [])));
  const forms = peoplePages.flatMap(({ method, path }) =>
    method === 'POST' && !shown.has(path) ? [path.replace(':case_ref', 'FLOW0000012')] : [],
  );

  it.each([...forms, '/sign-in', '/sign-out'])(
    'leads to the page of the form, when it is loaded again: %s',
    async (path) => {
      const { status, headers } = await fetch(gateway.url + path, { headers: page, redirect: 'manual' });
      const to = headers.get('location') ?? '';
      expect([status, [...shown, '/', '/cases/FLOW0000012'].includes(to)]).toEqual([303, true]);
      if (path.startsWith('/cases/')) expect(to).toBe('/cases/FLOW0000012');
      if (path.startsWith('/settings/')) expect(to).toBe('/settings');
    },
  );
});

describe('an address at which there is nothing', () => {
  let gateway: Awaited<ReturnType<typeof startTestGateway>>;
  beforeAll(async () => {
    gateway = await startTestGateway();
  });
  afterAll(async () => {
    await gateway.stop();
  });

  const ask = async (path: string, headers: Record<string, string>, method = 'GET') => {
    const response = await fetch(gateway.url + path, { headers, method });
    const { status } = response;
    return {
      status,
      type: response.headers.get('content-type'),
      text: await response.text(),
      headers: response.headers,
    };
  };
  const browser = { accept: 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8' };

  it.each([
    ['es-MX', '/casos', 'No se encontró'],
    ['pt-BR', '/v1/none', 'Não encontrado'],
    ['de', '/docs/none', 'Not found'],
    ['en', '/problems/none', 'Not found'],
  ])('is a page for a browser, in %s: %s', async (accepted, path, title) => {
    const answer = await ask(path, { ...browser, 'accept-language': accepted });
    expect([answer.status, answer.type]).toEqual([404, 'text/html; charset=utf-8']);
    expect(answer.text).toContain(`<h1>${title}</h1>`);
    expect(answer.text).toContain('<a class="button" href="/">');
    expect(answer.headers.get('content-security-policy')).toContain("default-src 'none'");
    expect(answer.text).not.toContain(path);
  });

  it.each([{ accept: '*/*' }, { accept: 'application/json' }, {}])(
    'is JSON for a program: %j',
    async (headers) => {
      const answer = await ask('/casos', headers as Record<string, string>);
      expect([answer.status, answer.type]).toEqual([404, 'application/json; charset=utf-8']);
      expect(JSON.parse(answer.text)).toMatchObject({ code: 'route_not_found' });
    },
  );

  it.each([
    ['es-MX', 'Esta página no se puede abrir así', 'Iniciar sesión'],
    ['pt-BR', 'Esta página não pode ser aberta assim', 'Entrar'],
    ['en', 'This page cannot be opened like this', 'Sign in'],
  ])(
    'is a page with a way on for a form that a browser sends, too, in %s',
    async (accepted, title, wayOn) => {
      for (const path of ['/casos', '/docs', '/cases/FLOW1/none/']) {
        const answer = await ask(path, { ...browser, 'accept-language': accepted }, 'POST');
        expect([answer.status, answer.type]).toEqual([
          path === '/docs' ? 405 : 404,
          'text/html; charset=utf-8',
        ]);
        expect(answer.text).toContain(`<h1>${title}</h1>`);
        expect(answer.text).toMatch(new RegExp(`<a href="(\\.\\./|\\./)+\\?language=[a-z]{2}">${wayOn}</a>`));
      }
      expect((await ask('/v1/none', browser, 'POST')).type).toContain('json');
    },
  );
});

describe('the front page of a system whose operator gave a name', () => {
  it.each([
    ['en', 'Casewatch is run here by Casas &amp; Filhos.'],
    ['es', 'Aquí, el responsable de Casewatch es Casas &amp; Filhos.'],
    ['pt', 'Aqui, o responsável pelo Casewatch é Casas &amp; Filhos.'],
  ])(
    'says above the field whose it is, also where the address has a fault, in %s',
    async (name, sentence) => {
      const gateway = await startTestGateway({ OPERATOR_NAME: 'Casas & Filhos' });
      try {
        for (const [path, body] of [
          [`/?language=${name}`, null],
          [`/cases?language=${name}`, null],
          [`/sign-in?language=${name}`, new URLSearchParams({ email: 'none' })],
        ] as const) {
          const method = body ? 'POST' : 'GET';
          const headers = { ...page, 'accept-language': name };
          const text = await (await fetch(gateway.url + path, { method, headers, body })).text();
          const [above] = text.split('name="email"');
          expect([path, above?.includes(sentence), text.includes('name="email"')]).toEqual([
            path,
            true,
            true,
          ]);
        }
      } finally {
        await gateway.stop();
      }
    },
  );
});
