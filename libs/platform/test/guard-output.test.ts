import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';

const program = join(import.meta.dirname, 'support/leak-settings.program.ts');
const [user, password] = ['some-user-7Gh', 'Xq7W0rd9kQ2'];
const env = { MONGODB_URL: `mongodb://${user}:${password}@db.example/own` };

function run(kind: string, end: string): Promise<{ code: unknown; printed: string }> {
  return new Promise((resolve) => {
    execFile(process.execPath, [program, kind, end], { env }, (error, stdout, stderr) =>
      resolve({ code: error?.code ?? 0, printed: stdout + stderr }),
    );
  });
}

describe.each(['service', 'commands'])('a warning and an error that nobody caught (%s)', (kind) => {
  it.concurrent.each(['exception', 'rejection', 'text'])(
    'are said without secrets, and end the process: %s',
    async (end) => {
      const { code, printed } = await run(kind, end);
      expect(code).toBe(1);
      expect(printed).toMatch(/Node\.js warning/);
      expect(printed.match(/cannot use \[redacted\]/g)?.length).toBeGreaterThanOrEqual(
        end === 'text' ? 1 : 2,
      );
      for (const secret of [user, password, Buffer.from(`${user}:${password}`).toString('base64')])
        expect(printed).not.toContain(secret);
      const lines = printed.trim().split('\n');
      if (kind === 'service') expect(lines.map((line) => JSON.parse(line).level).at(-1)).toBe('fatal');
      else expect(printed).not.toMatch(/^ {4}at /m);
    },
  );
});
