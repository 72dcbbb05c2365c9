import { createPartner, type DevFile, send } from '@casewatch/driver';

/** What somebody without credentials asks about an address. */
export type Question = { path: string; bodyOf(email: string): unknown };

type Times = { known: number[]; unknown: number[] };

/** Asks about addresses of users and about addresses that no user has. */
export async function createAsker(dev: DevFile, addresses: number) {
  const emails = (name: string) =>
    Array.from({ length: addresses }, (_, i) => `${name}.${i}@enumeration.example`);
  const known = emails('person');
  const unknown = emails('unknown');
  const partner = createPartner(dev, dev.partner);
  for (const email of known) await partner.newUser({ email, send_verification: false });

  /** @returns how long the answer took, ms */
  async function ask({ path, bodyOf }: Question, email: string): Promise<number> {
    const started = performance.now();
    await send(dev, 'POST', { path, body: bodyOf(email) });
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
