import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { expect, it } from '@jest/globals';
import words from './support/words.json' with { type: 'json' };

/** What the work throws. */
async function thrownBy(work: () => unknown): Promise<unknown> {
  try {
    await work();
  } catch (error) {
    return error;
  }
  throw new Error('nothing was thrown');
}

class OwnError extends Error {}

it.each<[string, ErrorConstructor, () => unknown]>([
  ['the file system', Error, () => readFile('/there is no such file')],
  ['a socket', Error, () => once(connect(1, '127.0.0.1'), 'connect')],
  ['an end', Error, () => AbortSignal.abort().throwIfAborted()],
  ['fetch', TypeError, () => fetch('http://127.0.0.1:1')],
  ['an address', TypeError, () => new URL('no address')],
  ['a body', SyntaxError, () => new Response('{').json()],
  ['JSON', SyntaxError, () => JSON.parse('{')],
  ['the engine', TypeError, () => (undefined as unknown as Date).getTime()],
  ['a test', RangeError, () => Promise.reject(new RangeError('of its own'))],
])('an error of %s is an instance of its class, and of no other', async (_of, expected, work) => {
  const error = await thrownBy(work);
  expect(error instanceof Error).toBe(true);
  expect(error instanceof expected).toBe(true);
  expect(error instanceof OwnError).toBe(false);
  expect(error instanceof AggregateError).toBe(false);
});

it('what Node.js makes is an instance of its class, and nothing else is', async () => {
  const body = await new Response('{"read":true}').json();
  expect(body instanceof Object).toBe(true);
  // biome-ignore lint/suspicious/useIsArray: packages ask so too
  expect((await new Response('[]').json()) instanceof Array).toBe(true);
  expect(readFile instanceof Function).toBe(true);
  expect(structuredClone(new Date()) instanceof Date).toBe(true);
  expect(readFile(import.meta.filename) instanceof Promise).toBe(true);
  expect((await readFile(import.meta.filename)) instanceof Uint8Array).toBe(true);
  for (const other of [body, null, 'text', new OwnError(), Object.create(null)])
    expect([other instanceof Date, other instanceof TypeError, other instanceof Map]).toEqual([
      false,
      false,
      false,
    ]);
});

it('an error says the line and the column of the source, and modules know their place', () => {
  type Unused = { readonly a: string; readonly b: number };
  const made: Unused | Error = new Error('here');
  const [, at] = (made as Error).stack?.split('\n') ?? [];
  expect(at).toMatch(/environment\.test\.ts:56:32\)?$/);
  expect(import.meta.url).toBe(new URL('environment.test.ts', `file://${import.meta.dirname}/`).href);
  expect(words).toEqual({ read: 'as JSON' });
});
