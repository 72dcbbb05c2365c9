import { randomUUID } from 'node:crypto';
import type { DemoPartner } from '../dev-files.ts';
import { Problem } from '../problem.ts';

/** An answer of the public interface. */
export interface Answer<T> {
  status: number;
  body: T;
}

export type PartnerApi = <T>(method: string, path: string, body?: unknown) => Promise<Answer<T>>;

const TIMEOUT_MS = 20_000;

/** Calls the public interface with a partner's keys, as any partner would. */
export function partnerApi(gatewayUrl: string, { api_key, api_secret }: DemoPartner): PartnerApi {
  return async <T>(method: string, path: string, body?: unknown) => {
    const response = await fetch(`${gatewayUrl}/v1${path}`, {
      method,
      headers: {
        'x-api-key': api_key,
        'x-api-secret': api_secret,
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...(method === 'POST' ? { 'idempotency-key': randomUUID() } : {}),
      },
      signal: AbortSignal.timeout(TIMEOUT_MS),
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    return { status: response.status, body: (await response.json()) as T };
  };
}

/** The answer's body when its status is one of these. @throws Problem naming the call and what came back */
export function expectStatus<T>(what: string, { status, body }: Answer<T>, ...wanted: number[]): T {
  if (wanted.includes(status)) return body;
  const { code, message } = body as { code?: string; message?: string };
  throw new Problem(`${what}: ${status} ${code ?? ''} ${message ?? ''}`.trim());
}
