import { scopes } from '@casewatch/contracts';
import { ApiError, toProblem } from '@casewatch/platform';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { startTestGateway } from '../support/start-gateway.ts';

const later = '2099-01-01T00:00:00.000Z';

describe('a list of the console with a filter that cannot be used', () => {
  let gateway: Awaited<ReturnType<typeof startTestGateway>>;
  beforeAll(async () => {
    gateway = await startTestGateway();
    gateway.identity.bus.serve('identity.console_session', async ({ token }) => ({
      token,
      principal: { kind: 'partner', partner_id: 1, key_id: '1', scopes: [...scopes] },
      ...{ session_id: 's', actor: 'Ana', read_only: false, renew_at: later, expires_at: later },
      ...{ partner_name: 'Santos & Partners', partner_logo_url: null },
    }));
    await gateway.identity.bus.connection.flush();
  });
  afterAll(async () => {
    await gateway.stop();
  });

  const open = async (path: string) => {
    const response = await fetch(gateway.url + path, { headers: { cookie: 'console=token' } });
    return { status: response.status, text: await response.text() };
  };

  it('keeps an invalid day, and says so beside it', async () => {
    gateway.seen.length = 0;
    const { status, text } = await open('/console/cases?since=abc&receipt_number=EAC1');
    expect(status).toBe(400);
    expect(text).toMatch(
      /name="since" type="date" value="abc"[^>]*aria-describedby="e-since" aria-invalid="true">/,
    );
    expect(text).toContain('id="e-since">This must be a day, such as 2026-11-23.</p>');
    expect(text).toContain('value="EAC1"');
    expect(text).toContain('<h1>Cases</h1>');
    expect(gateway.seen).toEqual([]);
  });

  it.each([
    ['/console/cases?category=x', 'category'],
    ['/console/users?email=x', 'email'],
  ])('shows what the service says beside the field: %s', async (path, parameter) => {
    const fault = { in: 'query' as const, parameter, code: 'invalid', message: 'must be another one' };
    const error = new ApiError('invalid_parameter', { faults: [fault] });
    Object.assign(gateway.answer, { status: error.status, body: JSON.stringify(toProblem(error, 'r-1')) });
    const { status, text } = await open(path);
    expect(status).toBe(400);
    expect(text).toContain(`id="e-${parameter}">This must be another one.</p>`);
    expect(text).toContain('Clear the filters');
  });

  it.each(['(', '😀'])(
    'says above the list what is wrong with a search, which has no field there: %s',
    async (q) => {
      const message = 'must contain a letter or a digit';
      const fault = { in: 'query' as const, parameter: 'q', code: 'invalid_parameter', message };
      const error = new ApiError('invalid_parameter', { faults: [fault] });
      Object.assign(gateway.answer, { status: error.status, body: JSON.stringify(toProblem(error, 'r-1')) });
      const { status, text } = await open(`/console/cases?q=${encodeURIComponent(q)}`);
      expect(status).toBe(400);
      expect(text).toContain('<p>The search must contain a letter or a digit.</p>');
      expect(text).toContain(`name="q" maxlength="120" value="${q}"`);
    },
  );

  it('says both what is wrong with a search and that a field needs a change', async () => {
    const faults = ['q', 'category'].map((parameter) => ({
      ...{ in: 'query' as const, parameter, code: 'invalid_parameter', message: 'must be another one' },
    }));
    const error = new ApiError('invalid_parameter', { faults });
    Object.assign(gateway.answer, { status: error.status, body: JSON.stringify(toProblem(error, 'r-1')) });
    const { text } = await open('/console/cases?q=a&category=x');
    expect(text).toContain('<p>The search must be another one. Some fields need a change.</p>');
    expect(text).toContain('id="e-category">This must be another one.</p>');
  });

  it('says of a filter of the changes what is wrong, beside its field', async () => {
    const { status, text } = await open('/console?since=abc');
    expect(status).toBe(400);
    expect(text).toContain('id="e-since">This must be a day, such as 2026-11-23.</p>');
  });

  it.each([
    ['/console/cases?q=a&q=b', '<p>The search is given more than once.</p>'],
    ['/console/users?name=a&name=b', 'id="e-name">This is given more than once.</p>'],
  ])('says that a filter is given twice: %s', async (path, sentence) => {
    const { status, text } = await open(path);
    expect([status, text.includes(sentence)]).toEqual([400, true]);
  });

  it('says it for a place in the list too, which has no field', async () => {
    const fault = { in: 'query' as const, parameter: 'cursor', code: 'invalid', message: 'is not valid' };
    const error = new ApiError('invalid_parameter', { faults: [fault] });
    Object.assign(gateway.answer, { status: error.status, body: JSON.stringify(toProblem(error, 'r-1')) });
    const { status, text } = await open('/console/events?cursor=x');
    expect([status, text.includes('This part of the list cannot be shown.')]).toEqual([400, true]);
  });

  it('shows no list of events of no number of hours', async () => {
    const { status, text } = await open('/console/events?hours=many');
    expect([status, text.includes('id="e-hours">This must be a number of hours.')]).toEqual([400, true]);
  });

  it('is still no page for a caller that may not see it', async () => {
    const error = new ApiError('insufficient_scope');
    Object.assign(gateway.answer, { status: error.status, body: JSON.stringify(toProblem(error, 'r-1')) });
    const { status, text } = await open('/console/users');
    expect([status, text.includes('Clear the filters')]).toEqual([403, false]);
  });
});
