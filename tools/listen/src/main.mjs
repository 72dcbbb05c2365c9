#!/usr/bin/env node
import { listen } from './listen.mjs';
import { ListenError, optionsOf, usage } from './options.mjs';

const stopping = new AbortController();
for (const name of ['SIGINT', 'SIGTERM']) process.once(name, () => stopping.abort());

const words = process.argv.slice(2);
if (words.includes('--help')) {
  process.stdout.write(usage);
} else {
  try {
    const run = { say: console.log, signal: stopping.signal };
    await listen(optionsOf(words, process.env), run);
  } catch (error) {
    if (!(error instanceof ListenError)) throw error;
    process.stderr.write(`${error.message}\n\n${usage}`);
    process.exitCode = 2;
  }
}
