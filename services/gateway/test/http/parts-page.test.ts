import { describe, expect, it } from '@jest/globals';
import { startTestGateway } from '../support/start-gateway.ts';

/** Status of the page of parts for a browser without a session. */
async function statusIn(settings: Record<string, string>): Promise<number> {
  const gateway = await startTestGateway(settings);
  try {
    return (await fetch(`${gateway.url}/console/_parts`)).status;
  } finally {
    await gateway.stop();
  }
}

describe('the page of parts', () => {
  it('is there in development, for a session', async () => {
    expect(await statusIn({ NODE_ENV: 'development' })).toBe(401);
  });

  it('is not there in production', async () => {
    const settings = {
      NODE_ENV: 'production',
      TRANSPORT_SECURITY: 'mesh',
      PUBLIC_URL: 'https://casewatch.example',
    };
    expect(await statusIn(settings)).toBe(404);
  });
});
