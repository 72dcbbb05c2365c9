import { execFile, spawnSync } from 'node:child_process';
import { promisify } from 'node:util';
import type { OpenApiDocument } from '@casewatch/contracts';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { codeSamples, type Language } from '../../src/docs/code-samples.ts';
import { operationsOf } from '../../src/docs/document.ts';
import { keysOfPartner } from '../support/identity-answers.ts';
import { startTestGateway } from '../support/start-gateway.ts';

const keys = keysOfPartner(2);

const run = promisify(execFile);
/** `npm test` says so where it is missing. */
const hasPython = spawnSync('python3', ['-c', 'import requests']).status === 0;

/** How a reader runs a sample of each language. */
const programs: Record<Language, [file: string, ...args: string[]]> = {
  curl: ['bash', '-c'],
  node: [process.execPath, '--input-type=module', '--eval'],
  python: ['python3', '-c'],
};

describe('the code samples of the reference', () => {
  let gateway: Awaited<ReturnType<typeof startTestGateway>>;
  let document: OpenApiDocument;
  beforeAll(async () => {
    gateway = await startTestGateway((service) => ({ NOTIFIER_URL: service }));
    document = (await (await fetch(`${gateway.url}/openapi.json`)).json()) as OpenApiDocument;
  });
  afterAll(async () => {
    await gateway.stop();
  });

  async function runSample(name: string, language: Language) {
    const listed = operationsOf(document).find(({ operation }) => operation.operationId === name);
    if (!listed) throw new Error(`no operation ${name}`);
    const text = codeSamples(document, listed)[language].replaceAll('http://gateway.test', gateway.url);
    const [file, ...args] = programs[language];
    const env = {
      ...process.env,
      NODE_OPTIONS: '',
      CASEWATCH_KEY: keys['x-api-key'],
      CASEWATCH_SECRET: keys['x-api-secret'],
      CASEWATCH_TOKEN: gateway.identity.token(),
    };
    const { stdout } = await run(file, [...args, text], { env, timeout: 20_000 });
    const request = gateway.seen.pop();
    if (!request) throw new Error(`no request arrived: ${stdout}`);
    const { method, url, body, headers } = request;
    const isForm = headers['content-type']?.startsWith('application/x-www-form-urlencoded');
    const sent = isForm ? Object.fromEntries(new URLSearchParams(body)) : body === '' ? '' : JSON.parse(body);
    return { request: { method, url, sent }, stdout };
  }

  it.each(['list_partner_cases', 'create_partner_case', 'create_webhook', 'log_out', 'unsubscribe'])(
    'of %s run, and send the same request in every language',
    async (name) => {
      const curl = await runSample(name, 'curl');
      const node = await runSample(name, 'node');
      expect(node.request).toEqual(curl.request);
      expect(JSON.parse(curl.stdout)).toEqual({ ok: true });
      expect(node.stdout).toBe('{ ok: true }\n');
      if (!hasPython) return;
      const python = await runSample(name, 'python');
      expect(python.request).toEqual(curl.request);
      expect(python.stdout).toBe("{'ok': True}\n");
    },
  );

  it('are valid JavaScript and Python for every operation', async () => {
    const samples = operationsOf(document).map((listed) => codeSamples(document, listed));
    expect(samples.length).toBeGreaterThan(40);
    const AsyncFunction = Object.getPrototypeOf(async () => undefined).constructor as new (
      text: string,
    ) => unknown;
    for (const { node } of samples) expect(() => new AsyncFunction(node)).not.toThrow();
    if (!hasPython) return;
    const check = 'import ast, json, sys\nfor text in json.load(sys.stdin): ast.parse(text)';
    const child = run('python3', ['-c', check]);
    child.child.stdin?.end(JSON.stringify(samples.map(({ python }) => python)));
    await child;
  });
});
