import { execFile } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
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

/** The generator knows neither a CSV file, which goes as it is, nor the JSON that Amazon SNS sends as `text/plain`. */
const config = {
  content_type_overrides: { 'text/csv': 'application/octet-stream', 'text/plain': 'application/json' },
};

/**
 * Generates a client with openapi-python-client and imports its modules.
 * @throws if the generator leaves a part of the document out, or a module cannot be imported
 */
export async function importPythonClient(program: string, document: string, folder: string): Promise<void> {
  const configFile = join(folder, 'python-client.json');
  await writeFile(configFile, JSON.stringify(config));
  const args = [
    'generate',
    '--path',
    document,
    '--output-path',
    join(folder, 'client'),
    '--meta',
    'none',
    '--config',
    configFile,
  ];
  const bin = dirname(program);
  // The generator formats its code with ruff, from the same environment.
  const env = { ...process.env, PATH: `${bin}${delimiter}${process.env.PATH}` };
  const { stdout, stderr } = await run(program, [...args, '--fail-on-warning'], { env });
  if (/warning/i.test(stdout + stderr))
    throw new Error(`The Python client is incomplete:\n${stdout}${stderr}`);
  await run(join(bin, 'python'), ['-c', importAll], { cwd: folder });
}
