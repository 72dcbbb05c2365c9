/** npm run verify:manifests: renders every overlay and checks the objects, without a cluster. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runOrThrow } from '../kit/run.ts';
import { DEPLOY } from '../verify/settings.ts';
import { checkDomain } from './domain-rules.ts';
import { checkNatsUsers } from './nats-users.ts';
import { score, securityScan, splitKinds, validate } from './static-checks.ts';
import { findTools } from './tools.ts';
import { checkTransport } from './transport-rules.ts';

const overlays = [
  '.',
  'overlays/verify',
  'overlays/production',
  'overlays/eks',
  'overlays/gke',
  'overlays/own',
];

await using stack = new AsyncDisposableStack();
try {
  const tools = await findTools((line) => console.error(line));
  const folder = await mkdtemp(join(tmpdir(), 'casewatch-manifests-'));
  stack.defer(() => rm(folder, { recursive: true, force: true }));
  const findings: string[] = checkNatsUsers();
  for (const overlay of overlays) {
    const text = await runOrThrow('kubectl', ['kustomize', join(DEPLOY, overlay)]);
    const file = join(folder, `${overlay.replaceAll(/\W+/g, '-')}.yaml`);
    const { known, unknown } = splitKinds(text);
    await writeFile(file, known);
    const ofOverlay = [
      ...unknown,
      ...checkDomain(text),
      ...checkTransport(text),
      ...(await validate(tools, file)),
      ...(await securityScan(tools, file)),
      ...(await score(tools, file)),
    ];
    console.log(`${overlay}: ${ofOverlay.length === 0 ? 'clean' : `${ofOverlay.length} findings`}`);
    findings.push(...ofOverlay.map((finding) => `${overlay}: ${finding}`));
  }
  for (const finding of findings) console.log(`  ${finding}`);
  process.exitCode = findings.length === 0 ? 0 : 1;
} catch (err) {
  console.error(err instanceof Error ? err.message : String(err));
  process.exitCode = 2;
}
