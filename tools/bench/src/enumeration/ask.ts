import type { DevFile } from '@casewatch/dev/with-new-system';

/** What somebody without credentials asks about an address. */
export type Question = { path: string; bodyOf(email: string): unknown };

type Times = { known: number[]; unknown: number[] };

/** Asks about addresses of users and about addresses that no user has. */
export async function createAsker(dev: DevFile, addresses: number) {
  const emails = (name: string) =>
    Array.from({ length: addresses }, (_, i) => `${name}.${i}@enumeration.example`);
  const known = emails('person');
  const unknown = emails('unknown');
  for (const email of known) await createUser(dev, email);

  /** @returns how long the answer took, ms */
  async function ask({ path, bodyOf }: Question, email: string): Promise<number> {
    const started = performance.now();
    const response = await post(dev, path, bodyOf(email));
    await response.text();
    return performance.now() - started;
  }

  return {
    everyAddress: [...known, ...unknown],
    ask,
    /** Times of known and unknown addresses in turn, one request at a time; the first `warmUp` pairs do not count. */
    async measure(
      question: Question,
      { requests, warmUp }: { requests: number; warmUp: number },
    ): Promise<Times> {
      const times: Times = { known: [], unknown: [] };
      for (let i = -warmUp; i < requests; i++) {
        const nth = (i + warmUp) % addresses;
        const ofKnown = await ask(question, known[nth] ?? '');
        const ofUnknown = await ask(question, unknown[nth] ?? '');
        if (i < 0) continue;
        times.known.push(ofKnown);
        times.unknown.push(ofUnknown);
      }
      return times;
    },
  };
}

async function createUser(dev: DevFile, email: string): Promise<void> {
  const { api_key, api_secret } = dev.partner;
  const headers = { 'x-api-key': api_key, 'x-api-secret': api_secret };
  const body = { email, name: 'Test Person', send_verification: false };
  const { status } = await post(dev, '/v1/client/users', body, headers);
  if (status !== 201) throw new Error(`creating a user answered ${status}`);
}

async function post(dev: DevFile, path: string, body: unknown, headers = {}): Promise<Response> {
  return await fetch(dev.gateway_url + path, {
    method: 'POST',
    headers: { accept: 'application/json', 'content-type': 'application/json', ...headers },
    body: JSON.stringify(body),
  });
}
