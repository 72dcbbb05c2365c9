import { execFile } from 'node:child_process';
import { delimiter, dirname, join } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);

/**
 * Loads every module: Python finds an unknown name only then. Links in mails and callbacks are left out, because no client
 * calls them, and openapi-python-client 0.29.1 forgets an import where an optional body has two media types.
 */
const importAll = `
import importlib, pkgutil, client
for module in pkgutil.walk_packages(client.__path__, 'client.'):
    if '.callbacks_and_links.' not in module.name:
        importlib.import_module(module.name)
`;

/**
 * Generates a client with openapi-python-client and imports its modules.
 * @throws if the generator leaves a part of the document out, or a module cannot be imported
 */
export async function importPythonClient(program: string, document: string, folder: string): Promise<void> {
  const args = ['generate', '--path', document, '--output-path', join(folder, 'client'), '--meta', 'none'];
  const bin = dirname(program);
  // The generator formats its code with ruff, from the same environment.
  const env = { ...process.env, PATH: `${bin}${delimiter}${process.env.PATH}` };
  const { stdout, stderr } = await run(program, [...args, '--fail-on-warning'], { env });
  if (/warning/i.test(stdout + stderr))
    throw new Error(`The Python client is incomplete:\n${stdout}${stderr}`);
  await run(join(bin, 'python'), ['-c', importAll], { cwd: folder });
}
