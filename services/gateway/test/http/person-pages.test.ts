import { detailMessage, type ErrorCode, statusWords } from '@casewatch/contracts';
import { ApiError, toProblem } from '@casewatch/platform';
import { aPerson, servePeople, waitFor } from '@casewatch/testing';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { formOf, type SentForm } from '../support/sent-form.ts';
import { startTestGateway } from '../support/start-gateway.ts';

const time = '2026-11-23T12:00:00.000Z';
const logo = 'https://casewatch.example/logos/aaaaaaaaaaaaaaaaaaaaaa.png';
const maria = aPerson(7, {
  name: 'Maria',
  email: 'maria@example.com',
  status: 'inactive',
  preferred_language: 'pt',
  partner_name: 'Santos & Partners',
  partner_logo_url: logo,
});

it('a page of a person who is no longer there signs out, says so, and leads on', async () => {
  const gateway = await startTestGateway();
  try {
    servePeople(gateway.identity.bus, () => undefined);
    await gateway.identity.bus.connection.flush();
    const headers = {
      cookie: `person=${gateway.identity.token()}`,
      accept: 'text/html',
      'accept-language': 'es',
    };
    const answer = await fetch(`${gateway.url}/cases`, { headers, redirect: 'manual' });
    expect(answer.headers.getSetCookie().map((line) => line.split(';')[0])).toEqual([
      'person=',
      'person-refresh=',
    ]);
    const text = await answer.text();
    expect(text).toContain('Esta cuenta ya no existe.');
    expect(text).toContain('action="/sign-in"');
  } finally {
    await gateway.stop();
  }
});

describe('a page of a person', () => {
  let gateway: Awaited<ReturnType<typeof startTestGateway>>;
  let cookie: string;
  beforeAll(async () => {
    gateway = await startTestGateway();
    servePeople(gateway.identity.bus, () => maria);
    await gateway.identity.bus.connection.flush();
    cookie = `person=${gateway.identity.token()}; person-refresh=r`;
  });
  afterAll(async () => {
    await gateway.stop();
  });

  const send = async (method: string, path: string, fields: Record<string, string> = {}) => {
    const body = method === 'POST' ? { body: new URLSearchParams(fields) } : {};
    const headers = { cookie, accept: 'text/html', 'sec-fetch-site': 'same-origin' };
    const response = await fetch(gateway.url + path, { method, headers, redirect: 'manual', ...body });
    return { status: response.status, headers: response.headers, text: await response.text() };
  };
  const refuse = (code: ErrorCode) => {
    const error = new ApiError(code);
    Object.assign(gateway.answer, { status: error.status, body: JSON.stringify(toProblem(error, 'r-1')) });
  };

  it('asks for a new sign-in before a deletion, keeps the session, and leads back', async () => {
    refuse('reauthentication_required');
    const { status, headers, text } = await send('POST', '/data/delete', { confirm: 'on' });
    expect([status, headers.getSetCookie()]).toEqual([401, []]);
    expect(text).toContain('<h1>Entre de novo</h1>');
    expect(text).toContain('name="email" value="maria@example.com"');
    expect(text).toContain('name="next" value="/data"');
  });

  it('ends the session with a deletion, and says so under the name of the partner and in the language of the person', async () => {
    Object.assign(gateway.answer, { status: 200, body: '{"success":true,"message":"Deleted."}' });
    const { status, headers, text } = await send('POST', '/data/delete', { confirm: 'on' });
    expect(status).toBe(200);
    expect(headers.getSetCookie().map((line) => line.split(';')[0])).toEqual(['person=', 'person-refresh=']);
    expect(text).toContain('<html lang="pt-BR">');
    expect(text).toContain('<h1>A sua conta foi excluída</h1>');
    expect(text).toContain('alt="">Santos &amp; Partners</p></header>');
    expect(text).toContain('<a class="button" href="/">Ir para a página inicial</a>');
    // No menu of an account that is gone.
    expect(text).not.toMatch(/href="\/(cases|settings|data)"|action="\/(sign-out|settings)/);
  });

  it.each([
    ['case_not_found', 404, 'Este caso não está na sua conta.'],
    ['service_unavailable', 503, 'Isso não funciona no momento.'],
    ['rate_limited', 429, 'Espere um minuto'],
  ] as const)('says %s in the language and the words of the person', async (code, status, sentence) => {
    refuse(code);
    const page = await send('GET', '/cases/FLOW0000001');
    expect([page.status, page.text.includes(sentence)]).toEqual([status, true]);
    expect(page.text).toContain('<html lang="pt-BR">');
    expect(page.text).toContain(
      '<img class="logo" src="/logos/aaaaaaaaaaaaaaaaaaaaaa.png" alt="">Santos &amp; Partners',
    );
  });

  it.each([
    ['/settings', { name: 120, email: 254 }],
    ['/start', { name: 120 }],
    ['/cases/new', { description: 255 }],
  ])('has the limits of the operations in the fields of %s', async (path, limits) => {
    const { text } = await send('GET', path);
    for (const [name, limit] of Object.entries(limits))
      expect(text).toMatch(new RegExp(`<input [^>]*name="${name}"[^>]* maxlength="${limit}"`));
  });

  it('says that there is nothing new with one request and no page', async () => {
    const cases = { cases: [], next_cursor: null };
    Object.assign(gateway.answer, { status: 200, body: JSON.stringify(cases) });
    const { text } = await send('GET', '/cases');
    const [, digests = ''] = /<main[^>]* data-live="([^"]+)"/.exec(text) ?? [];
    const look = async () => {
      gateway.seen.length = 0;
      const headers = { cookie, accept: 'text/html', 'second-look': `0 ${digests}` };
      const { status } = await fetch(`${gateway.url}/cases`, { headers });
      return [status, gateway.seen.length];
    };
    expect(await look()).toEqual([204, 1]);
    gateway.answer.body = JSON.stringify({ ...cases, anew: true });
    expect((await look())[0]).toBe(200);
  });

  it('shows a notice only while it is true: the address of the page keeps it', async () => {
    Object.assign(gateway.answer, { status: 200, body: JSON.stringify({ cases: [], next_cursor: null }) });
    const pages = await Promise.all(['paused', 'resumed'].map((done) => send('GET', `/cases?done=${done}`)));
    expect(pages.map(({ text }) => text.includes('class="notice good"'))).toEqual([false, true]);
    for (const { text } of pages) expect(text).toContain('Escrevemos para maria@example.com');
  });

  const update = {
    ...{ id: 1, kind: 'baseline', changes: [], spanish_source: null, touched_at: null, form_type: 'I-130' },
    ...{ status_code: 'Case Was Received', status_description: 'On March 2, 2026, we received your case.' },
    ...{ status_code_es: null, status_description_es: null, status_code_pt: 'Caso recebido' },
    ...{ status_description_pt: null, status_slug: 'case_was_received', category: 'received' },
    ...{ submitted_date: null, modified_date: null, history: [], timestamp: time, detail_message: 'x' },
  };
  const row = (active: boolean) => ({
    ...{ id: 1, user_case_id: 'FLOW0000001', receipt_number: 'IOE0123456789', description: '', active },
    latest_update: update,
  });

  it('gives the day as the one on which we saw the status, and says of a pause only that it is one', async () => {
    const cases = [row(true), row(false)];
    Object.assign(gateway.answer, { status: 200, body: JSON.stringify({ cases, next_cursor: null }) });
    const { text } = await send('GET', '/cases');
    expect(text.split('Vimos este status em').length - 1).toBe(2);
    expect(text.split('Este caso está em pausa aqui.').length - 1).toBe(1);
    expect(text).not.toMatch(/Desde|a seu pedido/);
  });

  const asked = {
    ...{ status_code: 'Request for Initial Evidence Was Sent', status_code_pt: 'Pedido de evidências' },
    status_description: 'On November 20, 2026, we asked for evidence.',
  };
  const entry = { date: '2026-11-20', status_code: 'We added a line.', status_code_es: null };

  it.each([
    ['to do', { ...update, ...asked }, true],
    ['to do, of a title that we do not know', { ...update, status_code: 'Case Rejected For A Page' }, true],
    ['nothing to do', update, false],
    ['nothing to do, of a title that we do not know', { ...update, status_code: 'Zzz' }, false],
  ])(
    'says of a case what to do before what it means, and the words of USCIS last: %s',
    async (_what, status, isToDo) => {
      const now = new Date('2026-11-21T00:00:00.000Z');
      const history = [{ ...entry, status_code_pt: null }];
      const newest = { ...status, id: 2, kind: 'details', changes: ['history'], history };
      const detail_message = detailMessage(newest, 'pt', now);
      const shown = { ...newest, detail_message };
      const body = {
        case: { ...row(true), last_checked: time, latest_update: shown },
        status_updates: [shown, { ...status, detail_message }],
        updates_cursor: null,
        monitoring: { state: 'watched' },
      };
      Object.assign(gateway.answer, { status: 200, body: JSON.stringify(body) });
      const { text } = await send('GET', '/cases/FLOW0000001');
      const { meaning, action } = statusWords(status.status_code, 'pt');
      expect(action !== null).toBe(isToDo);
      const deadline =
        status.status_code === asked.status_code ? ['<strong>12 de fevereiro de 2027</strong>'] : [];
      const toDo = action === null ? [] : ['<h3>O que fazer</h3>', ...deadline, action];
      const ours = ['O que mudou é o histórico', ...toDo, '<h3>O que isso significa</h3>', meaning];
      const theirs = ['<h3>O que diz o USCIS</h3>', status.status_description, 'We added a line.'];
      const places = [...ours, ...theirs].map((part) => text.indexOf(part));
      expect(places).not.toContain(-1);
      expect(places).toEqual(places.toSorted((a, b) => a - b));
      expect(text.includes('<h3>O que fazer</h3>')).toBe(isToDo);
    },
  );

  const answerWith = (status: typeof update, now = new Date('2026-11-21T00:00:00.000Z')) => {
    const shown = { ...status, detail_message: detailMessage(status, 'pt', now) };
    const body = {
      case: { ...row(true), last_checked: time, latest_update: shown },
      status_updates: [shown],
      updates_cursor: null,
      monitoring: { state: 'watched' },
    };
    Object.assign(gateway.answer, { status: 200, body: JSON.stringify(body) });
  };

  it('offers the last day for the calendar, which says nothing of the status', async () => {
    answerWith({ ...update, ...asked });
    const page = await send('GET', '/cases/FLOW0000001');
    expect(page.text).toContain('href="/cases/FLOW0000001/calendar"');
    const { status, headers, text } = await send('GET', '/cases/FLOW0000001/calendar');
    expect([status, headers.get('content-type')]).toEqual([200, 'text/calendar; charset=utf-8']);
    expect(headers.get('content-disposition')).toBe('attachment; filename=uscis.ics');
    const lines = text.split('\r\n');
    expect(lines).toEqual([
      ...['BEGIN:VCALENDAR', 'VERSION:2.0', 'PRODID:-//Casewatch//Casewatch//EN', 'BEGIN:VEVENT'],
      'UID:FLOW0000001-2027-02-12@casewatch',
      expect.stringMatching(/^DTSTAMP:\d{8}T\d{6}Z$/),
      ...['DTSTART;VALUE=DATE:20270212', 'DTEND;VALUE=DATE:20270213'],
      'SUMMARY:Responder ao USCIS: veja o seu caso',
      ...['END:VEVENT', 'END:VCALENDAR', ''],
    ]);
  });

  it.each([
    ['nothing is to be done', update],
    ['the text has no day', { ...update, ...asked, status_description: 'We asked for evidence.' }],
  ])('offers no day where %s', async (_what, status) => {
    answerWith(status);
    expect((await send('GET', '/cases/FLOW0000001')).text).not.toContain('/calendar"');
    const { status: code, text } = await send('GET', '/cases/FLOW0000001/calendar');
    expect([code, text.includes('BEGIN:VCALENDAR')]).toEqual([404, false]);
  });

  it('says of a paused case on top that it is paused, while it is true', async () => {
    const answered = (active: boolean) => {
      const body = {
        case: { ...row(active), last_checked: time, latest_update: update },
        status_updates: [update],
        updates_cursor: null,
        monitoring: { state: active ? 'watched' : 'paused' },
      };
      Object.assign(gateway.answer, { status: 200, body: JSON.stringify(body) });
    };
    for (const [active, done, isSaid] of [
      [false, 'case_paused', true],
      [true, 'case_paused', false],
      [true, 'case_resumed', true],
      [false, 'case_resumed', false],
    ] as const) {
      answered(active);
      const { text } = await send('GET', `/cases/FLOW0000001?done=${done}`);
      expect({ done, active, isSaid: text.includes('class="notice good"') }).toEqual({
        done,
        active,
        isSaid,
      });
    }
    const { status, headers } = await send('POST', '/cases/FLOW0000001/pause');
    expect([status, headers.get('location')]).toEqual([303, '/cases/FLOW0000001?done=case_paused']);
  });

  it('has the name in the settings', async () => {
    const { text } = await send('GET', '/settings');
    expect(text).toMatch(/name="name" type="text" value="Maria"/);
    Object.assign(gateway.answer, { status: 200, body: '{"success":true}' });
    const before = gateway.seen.length;
    await send('POST', '/settings', { name: ' Ana Souza ', preferred_language: 'pt', phone: '' });
    const put = gateway.seen.slice(before).find(({ method }) => method === 'PUT');
    expect(JSON.parse(put?.body ?? '{}')).toMatchObject({ name: 'Ana Souza' });
  });

  it.each([
    ['/cases/new', { receipt_number: '', description: '' }],
    ['/start', { name: 'Maria', preferred_language: 'pt', receipt_number: 'EAC12' }],
  ])('says at once all that is wrong with the form of %s, and asks no service', async (path, form) => {
    const before = gateway.seen.length;
    const { status, text } = await send('POST', path, form as Record<string, string>);
    expect(status).toBe(400);
    expect(text).toContain('Um número de recibo tem três letras e dez números');
    expect(text).toContain('Marque esta caixa');
    expect(gateway.seen.slice(before).filter(({ method }) => method !== 'GET')).toEqual([]);
  });

  it('sends no link to the address that a person has, and says so', async () => {
    Object.assign(gateway.answer, { status: 200, body: '{"success":true}' });
    const leads = async (email: string) =>
      (await send('POST', '/settings/address', { email })).headers.get('location');
    expect(await leads(' MARIA@example.com')).toBe('/settings?done=same');
    expect(await leads('maria.two@example.com')).toBe('/settings?done=address');
    const { text } = await send('GET', '/settings?done=same');
    expect(text).toContain('Este é o seu endereço. Se você tinha pedido uma mudança');
  });

  it('sends of the settings what the person changed: the firm may have changed the rest since', async () => {
    const sent = formOf((await send('GET', '/settings')).text, '/settings');
    Object.assign(gateway.answer, { status: 200, body: '{"success":true}' });
    const bodiesOf = async (form: SentForm) => {
      const before = gateway.seen.length;
      const { status } = await send('POST', '/settings', form as Record<string, string>);
      const puts = gateway.seen.slice(before).filter(({ method }) => method === 'PUT');
      return [status, ...puts.map(({ body }) => JSON.parse(body))];
    };
    expect(await bodiesOf(sent)).toEqual([303]);
    expect(await bodiesOf({ ...sent, preferred_language: 'es' })).toEqual([
      303,
      { preferred_language: 'es' },
    ]);
  });

  it('says what a removal changes, who is no lawyer, and which error it was', async () => {
    Object.assign(gateway.answer, { status: 200, body: JSON.stringify({ cases: [], next_cursor: null }) });
    const removed = await send('GET', '/cases?done=removed');
    expect(removed.text).toContain('O seu caso no USCIS não muda.');
    expect(removed.text).toContain('um notário (notary public) ou despachante não é advogado');
    refuse('service_unavailable');
    const failed = await send('GET', '/cases/FLOW0000001');
    expect(failed.text).toContain('Código deste erro');
    expect(failed.text).not.toContain('solicitação');
  });

  it('says that an account is switched off, with the button that switches it on', async () => {
    const page = await send('GET', '/settings');
    expect(page.text).toContain('A sua conta está desativada.');
    expect(page.text).toContain('action="/settings/activate"');
  });

  it('forgets a session that has ended, and asks for the address', async () => {
    gateway.identity.revoke('session', 'session-7');
    const page = await waitFor(
      async () => {
        const answer = await send('GET', '/settings');
        return answer.status === 401 && answer;
      },
      { what: 'the end of the session' },
    );
    expect(page.headers.getSetCookie().map((line) => line.split(';')[0])).toEqual([
      'person=',
      'person-refresh=',
    ]);
    expect(page.text).toContain('name="next" value="/settings"');
  });
});
