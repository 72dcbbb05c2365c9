/** npm run verify:manifests: renders every overlay and checks what comes out, without a cluster. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { checkDomain } from './domain-rules.ts';
import { checkNatsUsers } from './nats-users-current.ts';
import { render } from './render.ts';
import { score, securityScan, validate } from './static-checks.ts';
import { findTools } from './tools.ts';
import { checkTransport } from './transport-rules.ts';

const overlays = ['.', 'overlays/verify', 'overlays/production'];

await using stack = new AsyncDisposableStack();
try {
  const tools = await findTools((line) => console.error(line));
  const folder = await mkdtemp(join(tmpdir(), 'casewatch-manifests-'));
  stack.defer(() => rm(folder, { recursive: true, force: true }));
  const findings: string[] = checkNatsUsers();
  for (const overlay of overlays) {
    const text = await render(overlay);
    const file = join(folder, `${overlay.replaceAll(/\W+/g, '-')}.yaml`);
    await writeFile(file, text);
    const found = [
      ...checkDomain(text),
      ...checkTransport(text),
      ...(await validate(tools, file)),
      ...(await securityScan(tools, file)),
      ...(await score(tools, file)),
    ];
    console.log(`${overlay}: ${found.length === 0 ? 'clean' : `${found.length} findings`}`);
    findings.push(...found.map((finding) => `${overlay}: ${finding}`));
  }
  for (const finding of findings) console.log(`  ${finding}`);
  process.exitCode = findings.length === 0 ? 0 : 1;
} catch (err) {
  console.error(err instanceof Error ? err.message : String(err));
  process.exitCode = 2;
}
