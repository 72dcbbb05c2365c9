import jwt from 'jsonwebtoken';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { startTestGateway } from '../support/start-gateway.ts';

const hourMs = 60 * 60_000;

describe('the time of a gateway', () => {
  let gateway: Awaited<ReturnType<typeof startTestGateway>>;
  beforeAll(async () => {
    gateway = await startTestGateway();
  });
  afterAll(async () => {
    await gateway.stop();
  });

  /** Issued by identity, whose time is `aheadMs` ahead of the gateway's machine; it lives for so long. */
  function tokenOf(aheadMs: number, expiresIn: number) {
    const iat = Math.floor((Date.now() + aheadMs) / 1_000);
    return { authorization: `Bearer ${gateway.identity.token({ iat }, { expiresIn })}` };
  }

  it.each([hourMs, -hourMs, 90_000, -90_000])(
    'is identity’s, %d ms ahead of its machine: for tokens, and in the principals that it signs',
    async (aheadMs) => {
      gateway.identity.known.aheadMs = aheadMs;
      const url = await gateway.addReplica();
      gateway.seen.length = 0;
      const ask = async (headers: Record<string, string>) => {
        const response = await fetch(`${url}/v1/users/7`, { headers });
        return [response.status, ((await response.json()) as { code?: string }).code];
      };
      expect(await ask(tokenOf(aheadMs, 60))).toEqual([200, undefined]);
      expect(await ask(tokenOf(aheadMs, -10))).toEqual([401, 'token_expired']);
      // Fresh by the clock of the machine.
      if (aheadMs > 0) expect(await ask(tokenOf(0, 60))).toEqual([401, 'token_expired']);
      const principal = jwt.decode(String(gateway.seen[0]?.headers['x-casewatch-principal'])) as {
        iat: number;
      };
      expect(Math.abs(principal.iat * 1_000 - Date.now() - aheadMs)).toBeLessThan(20_000);
    },
  );
});
