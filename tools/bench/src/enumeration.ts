/** Whether the time of an answer shows that an e-mail address is known (quality.md, Security). */
import { inMail, send } from '@casewatch/driver';
import { timeOf } from './kit/load.ts';
import { mannWhitneyP } from './kit/mann-whitney.ts';
import { median, numberOptions, say } from './kit/report.ts';
import { type System, withSystem } from './kit/system.ts';

const addresses = 50;
const warmUp = 40;
/** By chance one comparison in a hundred fails; a real difference shows in every round. */
const rounds = 3;
const significance = 0.01;

/** `form`: a form of pages, whose answer is a page, or a way to one. */
type Question = { path: string; bodyOf(email: string): Record<string, string>; form?: true };

const login: Question = { path: '/v1/auth/login-code', bodyOf: (email) => ({ email }) };
const guess: Question = { path: '/v1/auth/token', bodyOf: (email) => ({ email, code: '000000' }) };
const resend: Question = { path: '/v1/users/resend-verification', bodyOf: (email) => ({ email }) };
const signUp: Question = { path: '/v1/users', bodyOf: (email) => ({ email, name: 'Test Person' }) };
const frontPage: Question = { path: '/sign-in', bodyOf: (email) => ({ email }), form: true };
const staffCode: Question = { path: '/console/sign-in', bodyOf: (email) => ({ email }), form: true };
const staffGuess: Question = {
  path: '/console/sign-in/code',
  bodyOf: (email) => ({ email, code: '000000' }),
  form: true,
};
const questions: [name: string, question: Question, before?: Question][] = [
  ['asking for a login code', login],
  ['guessing a login code', guess, login],
  ['asking for another verification mail', resend],
  ['signing up', signUp],
  ['typing it on the front page', frontPage],
  ['a member asking for a code', staffCode],
  ['a member guessing a code', staffGuess, staffCode],
];

const emails = (name: string) =>
  Array.from({ length: addresses }, (_, i) => `${name}.${i}@enumeration.example`);
const [knownEmails, unknownEmails] = [emails('person'), emails('unknown')];
const { requests } = numberOptions({ requests: 500 });
// Scaled so that requests of one e-mail address are still counted, and its limits are not reached.
const env = { RATE_LIMIT_SCALE: '300' };
const name = `enumeration: known and unknown addresses in turn, ${requests} each, up to ${rounds} rounds`;

await withSystem(name, env, async ({ dev, partner }) => {
  for (const email of knownEmails) {
    await partner.newUser({ email, send_verification: false });
    const member = { email, name: 'Test Member', role: 'viewer' };
    const { status } = await partner.call('POST', '/v1/client/staff', member);
    if (status !== 201) throw new Error(`a member was not invited: ${status}`);
    await acceptInvitation(dev, email);
  }
  for (const [name, question, before] of questions) {
    if (before) for (const email of [...knownEmails, ...unknownEmails]) await timeRequest(dev, before, email);
    const results: number[] = [];
    while (results.length < rounds && Math.max(0, ...results) <= significance) {
      const { known, unknown } = await measure(dev, question);
      const p = mannWhitneyP(known, unknown);
      results.push(p);
      const ratio = median(known) / median(unknown);
      say(`${name}: median of known / of unknown ${ratio.toFixed(3)}, p ${p.toFixed(3)}`);
    }
    if (Math.max(...results) <= significance) {
      say(`${name}: the time shows whether an address is known`);
      process.exitCode = 1;
    }
  }
});

function timeRequest(dev: System['dev'], { path, bodyOf, form }: Question, email: string): Promise<number> {
  if (form) return timeOf(() => sendForm(dev, path, bodyOf(email)));
  return timeOf(() => send(dev, 'POST', { path, body: bodyOf(email) }));
}

async function sendForm({ gateway_url }: System['dev'], path: string, fields: Record<string, string>) {
  const { origin } = new URL(gateway_url);
  const answer = await fetch(origin + path, {
    method: 'POST',
    headers: { origin },
    body: new URLSearchParams(fields),
    redirect: 'manual',
  });
  await answer.arrayBuffer();
  return answer;
}

/** A code is sent to active members alone: who is invited only is as unknown as nobody. */
async function acceptInvitation(dev: System['dev'], email: string): Promise<void> {
  const token = await inMail(dev, email, /\/console\/invitation\?token=([^\s>)]+)/);
  await sendForm(dev, '/console/invitation', { token });
}

/** Times of known and unknown addresses in turn, one request at a time; the first `warmUp` pairs do not count. */
async function measure(dev: System['dev'], question: Question) {
  const times: { known: number[]; unknown: number[] } = { known: [], unknown: [] };
  for (let i = -warmUp; i < requests; i++) {
    const index = (i + warmUp) % addresses;
    const known = await timeRequest(dev, question, knownEmails[index] ?? '');
    const unknown = await timeRequest(dev, question, unknownEmails[index] ?? '');
    if (i < 0) continue;
    times.known.push(known);
    times.unknown.push(unknown);
  }
  return times;
}
