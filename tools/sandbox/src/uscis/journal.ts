import { appendFile, mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { types } from 'node:util';
import { z } from 'zod';
import { logError } from '../http/log-error.ts';
import { limits } from './limits.ts';
import { servedCase } from './served-case.ts';
import { verbatim } from './verbatim.ts';
import { applyChange, type World } from './world.ts';

/** Changes of so many ms are written together. */
const GATHER_MS = 50;

const transition = z.strictObject({
  time: z.string(),
  receipt: z.string(),
  action: z.enum(['put', 'advance', 'delete', 'answer']),
  served: servedCase.nullable(),
  answer: verbatim.nullish(),
});

const entry = z.union([z.strictObject({ limits }), z.strictObject({ transition })]);

type Entry = z.output<typeof entry>;

export interface Journal {
  /** Writes a change soon. */
  note: (entry: Entry) => void;
  /** Starts again with an empty file. */
  restart: () => void;
  /** Writes pending changes now. @throws the file system's error */
  flush: () => Promise<void>;
}

/** Keeps changes in `<folder>/uscis.jsonl` for the next start. It only appends: writing may not delay timed requests. */
export function createJournal(folder: string | undefined): Journal {
  if (folder === undefined) return { note: () => {}, restart: () => {}, flush: async () => {} };
  let pending: string[] = [];
  let isRestart = false;
  let timer: NodeJS.Timeout | undefined;
  let last: Promise<void> = Promise.resolve();
  const write = async () => {
    const [lines, fresh] = [pending.join(''), isRestart];
    [pending, isRestart] = [[], false];
    if (fresh) await replaceJournal(folder, lines);
    else if (lines !== '') await appendJournal(folder, lines);
  };
  const flush = () => {
    clearTimeout(timer);
    timer = undefined;
    // Writes follow each other, also after a failure, which the former caller gets.
    last = last.then(write, write);
    return last;
  };
  const schedule = () => {
    timer ??= setTimeout(() => flush().catch(logError), GATHER_MS);
  };
  const note = (change: Entry) => {
    pending.push(`${JSON.stringify(change)}\n`);
    schedule();
  };
  const restart = () => {
    [pending, isRestart] = [[], true];
    schedule();
  };
  return { note, restart, flush };
}

/** Applies the journal of a former run. A last line that a kill cut off is dropped. @throws Error that names a broken file */
export async function restoreWorld(folder: string | undefined, world: World): Promise<void> {
  if (folder === undefined) return;
  try {
    const text = await readFile(pathIn(folder), 'utf8');
    const whole = text.slice(0, text.lastIndexOf('\n') + 1);
    for (const line of whole.split('\n')) if (line !== '') replay(world, entry.parse(JSON.parse(line)));
    if (whole !== text) await replaceJournal(folder, whole);
  } catch (err) {
    if (types.isNativeError(err) && 'code' in err && err.code === 'ENOENT') return;
    throw new Error(`${pathIn(folder)} cannot be read; delete it to start as new.`, { cause: err });
  }
}

function replay(world: World, entry: Entry): void {
  if ('limits' in entry) {
    world.limits = entry.limits;
    return;
  }
  world.transitions.push(entry.transition);
  applyChange(world, entry.transition);
}

async function appendJournal(folder: string, lines: string): Promise<void> {
  await mkdir(folder, { recursive: true });
  await appendFile(pathIn(folder), lines);
}

async function replaceJournal(folder: string, lines: string): Promise<void> {
  await mkdir(folder, { recursive: true });
  await writeFile(`${pathIn(folder)}.new`, lines);
  await rename(`${pathIn(folder)}.new`, pathIn(folder));
}

function pathIn(folder: string): string {
  return join(folder, 'uscis.jsonl');
}
