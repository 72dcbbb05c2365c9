/** npm run clients. Exit code 0: both clients were generated and work; 3: the Python generator is not available; else 1. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { exitWith } from '../cli-error.ts';
import { documentPath } from '../openapi/committed-document.ts';
import { findPythonTool } from '../python-tool.ts';
import { stopSignal } from '../stop-signal.ts';
import { importPythonClient } from './python-client.ts';
import { compileTypescriptClient } from './typescript-client.ts';

const say = (line: string): void => console.error(line);
const folder = await mkdtemp(join(tmpdir(), 'casewatch-clients-'));
try {
  await compileTypescriptClient(documentPath, join(folder, 'typescript'));
  say('TypeScript: @hey-api/openapi-ts generates a client, and it compiles.');
  const program = await findPythonTool('openapi-python-client', {
    env: process.env,
    say,
    signal: stopSignal(),
  });
  await importPythonClient(program, documentPath, folder);
  say('Python: openapi-python-client generates a client, and its modules load.');
} catch (error) {
  await rm(folder, { recursive: true, force: true });
  exitWith(error);
}
await rm(folder, { recursive: true, force: true });
process.exit();
