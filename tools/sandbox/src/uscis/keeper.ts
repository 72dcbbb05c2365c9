import { appendFile, mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { types } from 'node:util';
import { z } from 'zod';
import { complain } from '../http/complain.ts';
import { limits } from './limits.ts';
import { servedCase } from './served-case.ts';
import type { World } from './world.ts';

/** How long changes are gathered before they are written. */
const GATHER_MS = 50;

const transition = z.strictObject({
  time: z.string(),
  receipt: z.string(),
  action: z.enum(['put', 'advance', 'delete']),
  served: servedCase.nullable(),
});

const entry = z.union([z.strictObject({ limits }), z.strictObject({ transition })]);

/** One line of the journal: limits set, or a change of what is served. */
type Entry = z.output<typeof entry>;

/**
 * Keeps the changes in `<folder>/uscis.jsonl`, so that a restart finds them. A journal, so that the ten thousandth change costs no more
 * than the first: writing must not hold up requests whose arrival is being timed.
 */
export interface Keeper {
  /** A change: written soon. */
  note: (entry: Entry) => void;
  /** Everything is as new: the journal begins again. */
  restart: () => void;
  /** Writes now what is not written yet. @throws the file system's error */
  flush: () => Promise<void>;
}

/** Starts keeping. @param folder created when needed; undefined keeps nothing */
export function createKeeper(folder: string | undefined): Keeper {
  if (folder === undefined) return { note: () => {}, restart: () => {}, flush: async () => {} };
  let pending: string[] = [];
  let anew = false;
  let timer: NodeJS.Timeout | undefined;
  let last: Promise<void> = Promise.resolve();
  const write = async () => {
    const [lines, fresh] = [pending.join(''), anew];
    [pending, anew] = [[], false];
    if (fresh) await replaceJournal(folder, lines);
    else if (lines !== '') await appendJournal(folder, lines);
  };
  const flush = () => {
    clearTimeout(timer);
    timer = undefined;
    // One write after the other, whatever became of the one before: its own caller hears of that.
    last = last.then(write, write);
    return last;
  };
  const schedule = () => {
    timer ??= setTimeout(() => flush().catch(complain), GATHER_MS);
  };
  const note = (change: Entry) => {
    pending.push(`${JSON.stringify(change)}\n`);
    schedule();
  };
  const restart = () => {
    [pending, anew] = [[], true];
    schedule();
  };
  return { note, restart, flush };
}

/**
 * Puts what a former run kept into the world. A last line cut off by a kill is dropped.
 * @throws Error naming the file when it cannot be understood
 */
export async function recallWorld(folder: string | undefined, world: World): Promise<void> {
  if (folder === undefined) return;
  try {
    const text = await readFile(journal(folder), 'utf8');
    const whole = text.slice(0, text.lastIndexOf('\n') + 1);
    for (const line of whole.split('\n')) if (line !== '') replay(world, entry.parse(JSON.parse(line)));
    if (whole !== text) await replaceJournal(folder, whole);
  } catch (err) {
    if (types.isNativeError(err) && 'code' in err && err.code === 'ENOENT') return;
    throw new Error(`${journal(folder)} cannot be read; delete it to start as new.`, { cause: err });
  }
}

function replay(world: World, kept: Entry): void {
  if ('limits' in kept) {
    world.limits = kept.limits;
    return;
  }
  const { receipt, served } = kept.transition;
  world.transitions.push(kept.transition);
  if (served === null) world.cases.delete(receipt);
  else world.cases.set(receipt, served);
}

async function appendJournal(folder: string, lines: string): Promise<void> {
  await mkdir(folder, { recursive: true });
  await appendFile(journal(folder), lines);
}

async function replaceJournal(folder: string, lines: string): Promise<void> {
  await mkdir(folder, { recursive: true });
  await writeFile(`${journal(folder)}.new`, lines);
  await rename(`${journal(folder)}.new`, journal(folder));
}

function journal(folder: string): string {
  return join(folder, 'uscis.jsonl');
}
