import { spawn } from 'node:child_process';
import { once } from 'node:events';

/** ASCII's record separator: nothing that the guide's commands print has it. */
const mark = '\u001e';

/** Where this machine gets Python packages. */
const pipSettings = Object.fromEntries(
  Object.entries(process.env).filter(([name]) => name.startsWith('PIP_')),
);

/**
 * Runs blocks one after another in one shell, as a reader with one terminal does. `home` is the reader's folder.
 * @returns what each of them printed
 * @throws Error with what was printed last, when a block fails
 */
export async function runSteps(
  commands: string[],
  cwd: string,
  { home = cwd, timeoutMs = 120_000 } = {},
): Promise<string[]> {
  const script = commands.map((command) => `printf '${mark}'\n${command}`).join('\n');
  const child = spawn('bash', ['-euo', 'pipefail', '-c', script], {
    cwd,
    env: { PATH: process.env.PATH, HOME: home, ...pipSettings },
    stdio: ['ignore', 'pipe', 'pipe'],
    timeout: timeoutMs,
  });
  let output = '';
  let complaints = '';
  child.stdout.setEncoding('utf8').on('data', (chunk: string) => {
    output += chunk;
  });
  child.stderr.setEncoding('utf8').on('data', (chunk: string) => {
    complaints += chunk;
  });
  const [code] = await once(child, 'close');
  const printed = output.split(mark).slice(1);
  if (code === 0) return printed;
  throw new Error(
    `block ${printed.length} of ${commands.length} ended with ${code}:\n${commands[printed.length - 1]}\n${printed.at(-1)}\n${complaints}`,
  );
}
