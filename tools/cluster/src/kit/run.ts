import { spawn } from 'node:child_process';

export type RunResult = { code: number | null; stdout: string; stderr: string };
export type RunOptions = { input?: string; env?: NodeJS.ProcessEnv; cwd?: string; timeoutMs?: number };

/** Runs a program to its end. @throws Error if the program cannot be started */
export async function run(
  program: string,
  args: readonly string[],
  { input = '', timeoutMs, ...options }: RunOptions = {},
): Promise<RunResult> {
  const child = spawn(program, args, { ...options, timeout: timeoutMs, stdio: ['pipe', 'pipe', 'pipe'] });
  let stdout = '';
  let stderr = '';
  child.stdout.on('data', (chunk) => {
    stdout += String(chunk);
  });
  child.stderr.on('data', (chunk) => {
    stderr += String(chunk);
  });
  // A program that ends without reading its input is judged by its exit code.
  child.stdin.on('error', () => undefined);
  child.stdin.end(input);
  const code = await new Promise<number | null>((resolve, reject) => {
    child.once('error', (err) => reject(new Error(`${program} cannot be run: ${err.message}`)));
    child.once('close', resolve);
  });
  return { code, stdout, stderr };
}

export async function runOrThrow(
  program: string,
  args: readonly string[],
  options: RunOptions = {},
): Promise<string> {
  const { code, stdout, stderr } = await run(program, args, options);
  if (code === 0) return stdout;
  throw new Error(`${program} ${args.join(' ')} ended with ${code}: ${stderr.trim() || stdout.trim()}`);
}
