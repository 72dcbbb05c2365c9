import { execFile } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { createClient } from '@hey-api/openapi-ts';
import { ROOT } from '../options.ts';

const run = promisify(execFile);

const compiler = join(ROOT, 'node_modules/@typescript/native/bin/tsc');

/** What the generated code needs; stricter rules are the business of its reader. */
const compilerOptions = {
  target: 'es2023',
  module: 'nodenext',
  moduleResolution: 'nodenext',
  strict: true,
  noEmit: true,
  skipLibCheck: true,
  types: [],
  lib: ['es2023', 'dom', 'dom.iterable'],
};

/**
 * Generates a client with @hey-api/openapi-ts and compiles it.
 * @throws with the compiler's output if it does not compile
 */
export async function compileTypescriptClient(document: string, folder: string): Promise<void> {
  await createClient({ input: document, output: join(folder, 'client'), logs: { level: 'silent' } });
  await writeFile(join(folder, 'package.json'), JSON.stringify({ type: 'module' }));
  await writeFile(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions, include: ['client'] }));
  await run(process.execPath, [compiler, '-p', folder]).catch((error: Error & { stdout?: string }) => {
    throw new Error(`The TypeScript client does not compile:\n${error.stdout}`, { cause: error });
  });
}
