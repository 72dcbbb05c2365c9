import { expect, it } from '@jest/globals';
import { commandsOf } from '../src/pages/operator/commands.ts';

it('writes a command for six deployments, for one process, and for a development machine', () => {
  const kubernetes = commandsOf('kubectl exec deploy/{service} --');
  const together = commandsOf('docker compose exec casewatch node service/src/admin/main.ts {words}');
  const words = 'deadletters list webhooks';
  expect(kubernetes(words)).toBe(
    'kubectl exec deploy/webhooks -- node libs/platform/src/programs/dead-letters.ts list webhooks',
  );
  // The program of six deployments would not find the settings of webhooks there.
  expect(together(words)).toBe(
    'docker compose exec casewatch node service/src/admin/main.ts deadletters list webhooks',
  );
  expect(commandsOf(undefined)(words)).toBe('npm run admin -- deadletters list webhooks');
});
