import { withOwnSystem } from '@casewatch/dev/own-system';
import { createAsker, type Question } from './enumeration/ask.ts';
import { mannWhitneyP } from './enumeration/mann-whitney.ts';
import { median } from './gateway/compare.ts';

/** Requests of each kind in a round, interleaved (quality.md, Security). */
const requests = 500;
const addresses = 50;
const warmUp = 40;
/** By chance alone every hundredth comparison fails; a difference that is there shows in each of these. */
const rounds = 3;
const significance = 0.01;

const login: Question = { path: '/v1/auth/login-code', bodyOf: (email) => ({ email }) };
const guess: Question = { path: '/v1/auth/token', bodyOf: (email) => ({ email, code: '000000' }) };
const resend: Question = { path: '/v1/users/resend-verification', bodyOf: (email) => ({ email }) };
const signUp: Question = { path: '/v1/users', bodyOf: (email) => ({ email, name: 'Test Person' }) };
const questions: [what: string, question: Question, before?: Question][] = [
  ['asking for a login code', login],
  ['guessing a login code', guess, login],
  ['asking for another verification mail', resend],
  ['signing up', signUp],
];

const say = (line: string) => process.stdout.write(`${line}\n`);
const stopping = new AbortController();
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => stopping.abort());
// Scaled so that the limits of one e-mail address are still counted, and not reached.
const env = { ...process.env, RATE_LIMIT_SCALE: '300' };

say(
  `# enumeration: time of a known and an unknown address in turn, ${requests} each, up to ${rounds} rounds`,
);
await withOwnSystem({ env, say, signal: stopping.signal }, async (dev) => {
  const asker = await createAsker(dev, addresses);
  for (const [what, question, before] of questions) {
    if (before) for (const email of asker.everyAddress) await asker.ask(before, email);
    const seen: number[] = [];
    while (seen.length < rounds && Math.max(0, ...seen) <= significance) {
      const { known, unknown } = await asker.measure(question, { requests, warmUp });
      const p = mannWhitneyP(known, unknown);
      seen.push(p);
      const ratio = median(known) / median(unknown);
      say(`${what}: median of known / of unknown ${ratio.toFixed(3)}, p ${p.toFixed(3)}`);
    }
    if (Math.max(...seen) <= significance) {
      say(`${what}: the time tells whether an address is known`);
      process.exitCode = 1;
    }
  }
});
