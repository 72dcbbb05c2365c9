import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync } from 'node:fs';
import { basename, join } from 'node:path';

/** `npm run bench -- <name>` runs the file of that name; the programs that others start are no benches. */
const names = readdirSync(import.meta.dirname)
  .filter((file) => file.endsWith('.ts') && !['main.ts', 'floors.ts'].includes(file))
  .map((file) => basename(file, '.ts'));
const [name = '', ...options] = process.argv.slice(2);

if (names.includes(name)) {
  const child = spawn(process.execPath, [join(import.meta.dirname, `${name}.ts`), ...options], {
    stdio: 'inherit',
  });
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => child.kill(signal));
  const [code] = (await once(child, 'exit')) as [number | null];
  process.exitCode = code ?? 1;
} else {
  process.stderr.write(`Name a bench:\n${names.map((known) => `  npm run bench -- ${known}`).join('\n')}\n`);
  process.exitCode = 2;
}
