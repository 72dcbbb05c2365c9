import { generateKeyPairSync } from 'node:crypto';
import { ordinaryDeadlineMs, type Principal, type Scope } from '@casewatch/contracts';
import {
  ApiError,
  createLogger,
  type Handlers,
  type HttpServer,
  principalHeader,
  principalSigner,
  principalVerifier,
  readsPath,
  readsReply,
  startHttp,
  systemClock,
  timeLeftHeader,
} from '@casewatch/platform';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';

const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
const { x = '', y = '' } = publicKey.export({ format: 'jwk' });
const { d = '' } = privateKey.export({ format: 'jwk' });
const jwk = { kty: 'EC' as const, crv: 'P-256' as const, x, y, kid: 'gateway' };
const sign = principalSigner({ ...jwk, d });

const partner = (...scopes: Scope[]): Principal => ({
  ...{ kind: 'partner', partner_id: 1, key_id: '1' },
  scopes,
});
const person: Principal = {
  ...{ kind: 'user', user_id: 7, partner_id: 1, session_id: 's', signed_in_at: 1_795_255_200 },
};

type Read = { operation: string; params?: Record<string, string>; query?: Record<string, string> };
const status = { operation: 'get_status' };
const list = { operation: 'list_partner_cases', query: { limit: '3' } };
const one = { operation: 'get_partner_case', params: { case_ref: 'FLOW0000007' } };

describe('several reads in one request', () => {
  let http: HttpServer;
  /** What the handlers were called with, and what one of them does instead of answering. */
  const called: object[] = [];
  let instead: (() => Promise<never>) | null = null;
  beforeAll(async () => {
    const note =
      (operation: string) =>
      async ({ caller, params, query }: { caller: Principal; params: object; query: object }) => {
        called.push({ operation, caller: caller.kind, params, query });
        if (operation === 'get_partner_case') await instead?.();
        return { body: { operation } };
      };
    const handlers = Object.fromEntries(
      ['get_status', 'list_partner_cases', 'get_partner_case', 'list_acknowledgements', 'list_cases'].map(
        (name) => [name, note(name)],
      ),
    );
    http = await startHttp({
      service: 'cases',
      log: createLogger('cases', 'silent'),
      ...{ host: '127.0.0.1', port: 0, checkAnswers: false },
      ready: async () => true,
      api: {
        handlers: handlers as unknown as Handlers<'cases'>,
        verifier: principalVerifier({ keys: [jwk] }, 'cases'),
        clock: systemClock,
        idempotency: undefined,
        audit: undefined,
      },
    });
  });
  afterAll(() => http.stop(100));
  beforeEach(() => {
    called.length = 0;
    instead = null;
  });

  async function send(body: unknown, headers: Record<string, string>) {
    const response = await fetch(`http://127.0.0.1:${http.port}${readsPath}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body: JSON.stringify(body),
    });
    return { status: response.status, text: await response.text() };
  }

  async function ask(reads: Read[], principal: Principal, leftMs = ordinaryDeadlineMs) {
    const call = { method: 'POST', path: readsPath };
    const { status, text } = await send(
      { reads: reads.map((read) => ({ params: {}, query: {}, ...read })) },
      {
        [principalHeader]: sign({ principal, address: '127.0.0.1' }, 'cases', call),
        [timeLeftHeader]: String(leftMs),
      },
    );
    const { answers } = readsReply.parse(JSON.parse(text));
    return { status, answers, outcomes: answers.map(outcomeOf) };
  }

  const outcomeOf = ({ status, body }: { status: number; body: string }) => {
    const { code, operation } = JSON.parse(body);
    return [status, code ?? operation];
  };

  it('answers in their order, each with its own caller, parameters and filters', async () => {
    const { status: code, outcomes } = await ask([one, status, list], partner('cases:read'));
    expect(code).toBe(200);
    expect(outcomes).toEqual([
      [200, 'get_partner_case'],
      [200, 'get_status'],
      [200, 'list_partner_cases'],
    ]);
    expect(called).toMatchObject([
      { operation: 'get_partner_case', caller: 'partner', params: { case_ref: 'FLOW0000007' } },
      { operation: 'get_status', caller: 'anonymous' },
      { operation: 'list_partner_cases', caller: 'partner', query: { limit: 3, sort: '-created_at' } },
    ]);
  });

  it.each<[string, Read, Principal, [number, string]]>([
    ['the scope is missing', one, partner('users:read'), [403, 'insufficient_scope']],
    ['the caller is a person', one, person, [401, 'missing_credentials']],
    [
      'a filter is wrong',
      { ...list, query: { limit: '0' } },
      partner('cases:read'),
      [400, 'invalid_parameter'],
    ],
    [
      'a filter is unknown',
      { ...list, query: { no: '1' } },
      partner('cases:read'),
      [400, 'unknown_parameter'],
    ],
    [
      'the path is wrong',
      { ...one, params: { case_ref: 'x y' } },
      partner('cases:read'),
      [400, 'invalid_parameter'],
    ],
    [
      'it has an effect',
      { operation: 'create_partner_case' },
      partner('cases:write'),
      [500, 'internal_error'],
    ],
    [
      'another service has it',
      { operation: 'get_profile' },
      partner('profile:read'),
      [500, 'internal_error'],
    ],
    ['nobody has it', { operation: 'toString' }, partner('cases:read'), [500, 'internal_error']],
  ])('refuses one alone: %s', async (_why, read, principal, refusal) => {
    const { status: code, outcomes } = await ask([read, status], principal);
    expect(outcomes).toEqual([refusal, [200, 'get_status']]);
    // A failure of ours is one of the response too, so that metrics have it.
    expect(code).toBe(refusal[0] < 500 ? 200 : refusal[0]);
    expect(called).toHaveLength(1);
  });

  it('gives up the one that does not end in time, and tells when to ask again', async () => {
    instead = () => new Promise(() => {});
    const { status: code, answers, outcomes } = await ask([status, one], partner('cases:read'), 300);
    expect([code, outcomes]).toEqual([
      503,
      [
        [200, 'get_status'],
        [503, 'service_unavailable'],
      ],
    ]);
    expect(answers.map(({ retry_after_s }) => retry_after_s)).toEqual([undefined, 5]);
  });

  it('has the refusal of a handler as the operation answers it', async () => {
    instead = async () => {
      throw new ApiError('case_not_found');
    };
    const { answers } = await ask([one], partner('cases:read'));
    expect(JSON.parse(answers[0]?.body ?? '')).toMatchObject({ code: 'case_not_found', status: 404 });
  });

  it.each<[string, Record<string, string>, number]>([
    ['without a principal', {}, 401],
    [
      'with the principal of a read',
      { [principalHeader]: sign({ principal: partner(), address: '' }, 'cases') },
      503,
    ],
    [
      'with the principal of another write',
      {
        [principalHeader]: sign({ principal: partner(), address: '' }, 'cases', {
          method: 'POST',
          path: '/v1/check',
        }),
      },
      503,
    ],
    [
      'with the principal for another service',
      {
        [principalHeader]: sign({ principal: partner(), address: '' }, 'webhooks', {
          method: 'POST',
          path: readsPath,
        }),
      },
      503,
    ],
  ])('refuses all %s', async (_what, headers, code) => {
    const { status } = await send({ reads: [{ operation: 'get_status', params: {}, query: {} }] }, headers);
    expect([status, called]).toEqual([code, []]);
  });
});
