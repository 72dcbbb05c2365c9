import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { describe, expect, it } from '@jest/globals';

const loggerFile = fileURLToPath(new URL('../src/telemetry/logger.ts', import.meta.url));
const requestId = 'req_000000000000000000000000';
const traceId = '0af7651916cd43dd8448eb211c80319c';

const requestLogFile = fileURLToPath(new URL('../src/telemetry/request-log.ts', import.meta.url));

/** The lines that a process of its own writes which logs so, the last ones of its standard output. */
async function linesOf(call: string): Promise<string[]> {
  const program = `
    import { createLogger, inContext, newContext } from ${JSON.stringify(loggerFile)};
    const log = createLogger('cases', 'info');
    await inContext(newContext('${requestId}', '00-${traceId}-b7ad6b7169203331-01'), async () => { ${call} });
  `;
  const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '--eval', program]);
  return stdout.trimEnd().split('\n');
}

async function recordOf(call: string): Promise<Record<string, unknown>> {
  const [line = '', ...more] = await linesOf(call);
  expect(more).toEqual([]);
  return JSON.parse(line) as Record<string, unknown>;
}

describe('a log line', () => {
  it('says when in UTC, which service, how grave, and which request and trace', async () => {
    const { time, ...rest } = await recordOf(`log.warn({ case_id: 7 }, 'case not found');`);
    expect(time).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
    expect(Math.abs(Date.parse(String(time)) - Date.now())).toBeLessThan(60_000);
    expect(rest).toEqual({
      level: 'warn',
      service: 'cases',
      request_id: requestId,
      trace_id: traceId,
      span_id: 'b7ad6b7169203331',
      case_id: 7,
      msg: 'case not found',
    });
  });

  it('stays one line, whatever a text in it contains', async () => {
    const text = 'a\r\n{"level":"info","msg":"forged"}\u2028\u0000\u001b[2J';
    const record = await recordOf(`log.info({ title: ${JSON.stringify(text)} }, ${JSON.stringify(text)});`);
    expect(record).toMatchObject({ level: 'info', service: 'cases', title: text, msg: text });
    const [line = ''] = await linesOf(`log.info({ title: ${JSON.stringify(text)} }, 'x');`);
    // biome-ignore lint/suspicious/noControlCharactersInRegex: refusing them is the point
    expect(line).not.toMatch(/[\u0000-\u001f]/);
  });

  it('shows no value of a field that is named for a secret or a personal datum', async () => {
    const secret = 'not-to-be-seen';
    const names = [
      'authorization',
      'password',
      'secret',
      'token',
      'code',
      'email',
      'phone',
      'receipt_number',
      'link',
      'to',
    ];
    const fields = Object.fromEntries(names.map((name) => [name, secret]));
    const record = await recordOf(`log.error(${JSON.stringify({ ...fields, body: fields })}, 'failed');`);
    const hidden = Object.fromEntries(names.map((name) => [name, '[redacted]']));
    expect(record).toMatchObject({ ...hidden, body: hidden });
    expect(JSON.stringify(record)).not.toContain(secret);
  });

  it('shows no such field at any depth, and nothing of the documents that an error of MongoDB carries', async () => {
    const deep = await recordOf(`log.info({ a: { b: [{ email: 'ana@example.com', id: 7 }] } }, 'deep');`);
    expect(deep).toMatchObject({ a: { b: [{ email: '[redacted]', id: 7 }] } });
    const record = await recordOf(`
      const cause = Object.assign(new Error('E11000 duplicate key error collection: users dup key: { email: "ana@example.com" }'), {
        code: 11000,
        keyValue: { email: 'ana@example.com' },
        writeErrors: [{ err: { op: { name: 'Ana Silva' } } }],
      });
      log.warn({ err: new Error('user not stored', { cause }) }, 'failed');
    `);
    expect(record.err).toMatchObject({
      type: 'Error',
      message: 'user not stored: E11000 duplicate key error collection: users dup key: [redacted]',
      code: 11000,
    });
    expect(JSON.stringify(record)).not.toMatch(/ana@example|Ana Silva/);
  });

  it.each(["'696cff2440d2e528'", 'undefined'])(
    'of a request is the one that the logger would write; network %s',
    async (network) => {
      const lines = await linesOf(`
        const { createRequestLog } = await import(${JSON.stringify(requestLogFile)});
        const context = newContext('${requestId}', '00-${traceId}-b7ad6b7169203331-01', ${network});
        const line = { method: 'GET', operation: 'page /"', status: 200, ms: 3, complete: true, partner_id: 7, key_id: 'k"\\n' };
        createRequestLog(log)(context, line);
        inContext(context, () => log.info(line, 'request'));
      `);
      const [written, expected] = lines.map((line) => line.replace(/"time":"[^"]+"/, ''));
      expect(written).toBe(expected);
      expect(lines).toHaveLength(2);
    },
  );

  it('is written in order and before the process ends, however many there are', async () => {
    const lines = await linesOf(
      `for (let id = 0; id < 1_000; id++) log.info({ id }, 'many'); process.exit(0);`,
    );
    const ids = lines.map((line) => (JSON.parse(line) as { id: number }).id);
    expect(ids).toEqual(Array.from({ length: 1_000 }, (_, id) => id));
  });
});
