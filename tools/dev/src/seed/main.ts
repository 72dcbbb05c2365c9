/** Seeds the demo of a system in containers (docker-compose.yml). SEED_DATA names the folder with partners.json. */
import { join } from 'node:path';
import { printBanner } from '../banner.ts';
import { CliError, exitWith } from '../cli-error.ts';
import { publishedAddresses } from '../compose/published.ts';
import { dataDirAt } from '../data-dir.ts';
import { readPrivateJson } from '../private-file.ts';
import { stopSignal } from '../stop-signal.ts';
import { seedDemo } from './seed-demo.ts';
import type { DemoPartners } from './seed-partners.ts';

try {
  const root = process.env.SEED_DATA ?? '/data';
  const partners = readPrivateJson<DemoPartners>(join(root, 'partners.json'));
  if (partners === undefined) throw new CliError(`There is no partners.json in ${root}.`);
  const addresses = publishedAddresses(process.env);
  const signal = stopSignal();
  const hint = 'The services say more: docker compose logs webhooks identity cases monitor';
  await seedDemo({ addresses, ...partners, data: dataDirAt(root), hint, say: console.log, signal });
  printBanner({
    addresses,
    ...partners,
    opening: 'Casewatch is ready. docker compose down stops it, with --volumes for good.',
    closing: [
      'Logs  docker compose logs --follow <name>',
      'Then  npm run compose:dev-files && CASEWATCH_DATA=.data/compose npm run demo:advance',
    ],
  });
} catch (err) {
  exitWith(err);
}
process.exit(0);
