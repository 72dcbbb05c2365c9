/** Memory of the gateway and cases during an import of many rows, and an export of many cases, over what they have while idle. */
import { setTimeout as delay } from 'node:timers/promises';
import { keyHeaders, newReceipt, until } from '@casewatch/driver';
import type mongoose from 'mongoose';
import { heapOfPods } from './kit/manifests.ts';
import { judge, median, numberOptions, pssMiB, say } from './kit/report.ts';
import { type Service, type System, withSystem } from './kit/system.ts';

/** An import has at most 10,000 rows. `minutes`: it is looked at for so long; 0: until its end. */
const { rows, cases, settling, minutes } = numberOptions({
  rows: 10_000,
  cases: 100_000,
  settling: 60,
  minutes: 0,
});
const services = ['gateway', 'cases'] as const;
const sampleMs = 100;
const aim = { atMost: 64 };
/** Rows and cases from which the code is compiled and the caches are filled. */
const first = 300;
const rowsPerInsert = 5_000;
const casesPerUser = 3;

type Row = mongoose.mongo.Document & { _id: unknown };
type Memory = Record<(typeof services)[number], number>;

await withSystem(`imports: ${rows} rows, ${cases} cases`, heapOfPods, async (system) => {
  await runImport(system, first);
  await addCases(system, { from: 1_000_000, count: first });
  await runExport(system);
  await addCases(system, { from: 2_000_000, count: cases });
  await measure(system, `export of ${cases} cases`, () => runExport(system));
  await measure(system, `import of ${rows} rows`, () => runImport(system, rows));
});

async function measure(system: System, what: string, work: () => Promise<string>): Promise<void> {
  await delay(settling * 1_000);
  const now = (): Memory => ({
    gateway: pssMiB(system.pidOf('gateway')),
    cases: pssMiB(system.pidOf('cases')),
  });
  const samples: Memory[] = [];
  for (let i = 0; i < 20; i += 1) {
    samples.push(now());
    await delay(sampleMs);
  }
  const idle = { gateway: 0, cases: 0 };
  for (const service of services) idle[service] = median(samples.map((sample) => sample[service]));
  const most = { ...idle };
  let isOver = false;
  const sampling = (async () => {
    while (!isOver) {
      const sample = now();
      for (const service of services) most[service] = Math.max(most[service], sample[service]);
      await delay(sampleMs);
    }
  })();
  const began = performance.now();
  const done = await work().finally(() => {
    isOver = true;
  });
  await sampling;
  say(`${what}: ${done} in ${((performance.now() - began) / 1_000).toFixed(0)} s`);
  for (const service of services) {
    say(`${service}: ${idle[service].toFixed(0)} MiB idle (PSS), at most ${most[service].toFixed(0)} MiB`);
    judge(`${what}, ${service} over idle, MiB`, most[service] - idle[service], aim);
  }
}

/** A file as long as its cells may be: about 4 MiB at 10,000 rows. @returns its counts */
async function runImport({ dev }: System, count: number): Promise<string> {
  const description = 'Form I-130: family petition; '.repeat(9).slice(0, 250).trim();
  // Each file has people of its own.
  const file = newReceipt().toLowerCase();
  const person = (i: number) => Math.floor(i / casesPerUser);
  const lines = Array.from(
    { length: count },
    (_, i) =>
      `${newReceipt()},bench.${file}.${person(i)}@example.com,Ana da Silva ${person(i)},yes,+12025550123,${description} ${i},M-${i}`,
  );
  const head = 'receipt_number,email,name,uscis_access_acknowledged,phone,description,reference';
  const url = `${dev.gateway_url}/v1/client/imports`;
  const headers = keyHeaders(dev.partner);
  const sent = await fetch(url, {
    method: 'POST',
    headers: { ...headers, 'content-type': 'text/csv' },
    body: [head, ...lines].join('\r\n'),
  });
  if (sent.status !== 202) throw new Error(`the import was answered ${sent.status}: ${await sent.text()}`);
  type Import = { id: number; state: string; rows: number; created: number };
  const { import: made } = (await sent.json()) as { import: Import };
  const began = performance.now();
  const ended = async () => {
    const answer = await fetch(`${url}/${made.id}`, { headers });
    const { import: now } = (await answer.json()) as { import: Import };
    const isEnough = minutes > 0 && performance.now() - began > minutes * 60_000;
    return (now.state === 'done' || isEnough) && now;
  };
  const timeoutMs = 60_000 + count * 500;
  const { state, created } = await until(ended, {
    timeoutMs,
    intervalMs: 1_000,
    what: 'the end of the import',
  });
  if (state === 'done' && created !== count) throw new Error(`${created} of ${count} rows made a case`);
  return `${created} cases were made`;
}

/** Reads the file and drops it. @returns how much it was */
async function runExport({ dev }: System): Promise<string> {
  const answer = await fetch(`${dev.gateway_url}/v1/client/cases.csv`, { headers: keyHeaders(dev.partner) });
  if (!answer.ok || !answer.body) throw new Error(`the export was answered ${answer.status}`);
  let [bytes, lines] = [0, 0];
  for await (const chunk of answer.body) {
    bytes += chunk.length;
    lines += Buffer.from(chunk).filter((byte) => byte === 10).length;
  }
  return `${lines - 1} lines, ${(bytes / 2 ** 20).toFixed(1)} MiB`;
}

/** Copies of a case that was imported, each with a person of its own. `from`: the first id of both. */
async function addCases(
  { db, dev }: System,
  { from, count }: { readonly from: number; readonly count: number },
): Promise<void> {
  const rowsOf = (service: Service, name: string) => db(service).collection<Row>(name);
  const like = { partner_id: dev.partner.id };
  const ofCase = await rowsOf('cases', 'cases').findOne({ ...like, reference: 'M-0' });
  const user = await rowsOf('identity', 'users').findOne({ _id: ofCase?.user_id });
  if (!ofCase || !user) throw new Error('no case was imported');
  for (let start = 0; start < count; start += rowsPerInsert) {
    const length = Math.min(rowsPerInsert, count - start);
    const ids = Array.from({ length }, (_, i) => from + start + i);
    await rowsOf('identity', 'users').insertMany(
      ids.map((_id) => ({
        ...user,
        _id,
        email: `copy.${_id}@example.com`,
        email_lower: `copy.${_id}@example.com`,
      })),
    );
    await rowsOf('cases', 'cases').insertMany(
      ids.map((_id) => {
        const receipt_number = `WAC${6_000_000_000 + _id}`;
        return { ...ofCase, _id, user_id: _id, receipt_number, created_at: new Date(Date.now() - _id) };
      }),
    );
  }
}
