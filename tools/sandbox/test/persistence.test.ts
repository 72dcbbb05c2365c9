import { appendFile, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { type Sandbox, startSandbox } from '../src/index.ts';
import { call } from './support.ts';

let folder: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'sandbox-'));
});
afterAll(() => rm(folder, { recursive: true }));

const start = (): Promise<Sandbox> => startSandbox({ dataDir: join(folder, 'kept') });
const transitions = async (sandbox: Sandbox) =>
  (await call('GET', `${sandbox.uscis_url}/sandbox/transitions`)).json;

it('keeps what is served, the limits and the transitions over a restart, until it is put as new', async () => {
  const first = await start();
  await call('PUT', `${first.uscis_url}/sandbox/limits`, { rate_per_second: 50 });
  await call('POST', `${first.uscis_url}/sandbox/receipts/IOE0900000001/advance`);
  const written = await transitions(first);
  await first.stop();

  const second = await start();
  expect(written).toHaveLength(1);
  expect(await transitions(second)).toEqual(written);
  const limits = await call('PUT', `${second.uscis_url}/sandbox/limits`, {});
  expect(limits.json.rate_per_second).toBe(50);
  const next = await call('POST', `${second.uscis_url}/sandbox/receipts/IOE0900000001/advance`);
  expect(next.json.text_en).toBe('Biometrics Appointment Was Scheduled');
  await call('DELETE', `${second.uscis_url}/sandbox`);
  await second.stop();

  const third = await start();
  expect(await transitions(third)).toEqual([]);
  expect((await call('PUT', `${third.uscis_url}/sandbox/limits`, {})).json.rate_per_second).toBe(5);
  await third.stop();
});

it('drops the line that a kill cut off, and goes on after it', async () => {
  const dataDir = join(folder, 'torn');
  const advance = (sandbox: Sandbox) =>
    call('POST', `${sandbox.uscis_url}/sandbox/receipts/IOE0900000002/advance`);
  const first = await startSandbox({ dataDir });
  await advance(first);
  await first.stop();
  await appendFile(join(dataDir, 'uscis.jsonl'), '{"transition":{"time":');
  const second = await startSandbox({ dataDir });
  await advance(second);
  await second.stop();
  const third = await startSandbox({ dataDir });
  expect(await transitions(third)).toHaveLength(2);
  await third.stop();
});

it('says which file to delete when what was kept cannot be read', async () => {
  const dataDir = join(folder, 'spoilt');
  await mkdir(dataDir);
  await writeFile(join(dataDir, 'uscis.jsonl'), '{}\n');
  await expect(startSandbox({ dataDir })).rejects.toThrow(/uscis\.jsonl cannot be read; delete it/);
});
