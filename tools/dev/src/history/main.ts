/** npm run demo:history: fills the demo partner of the running system with users, cases and deliveries. With `--cases N`: with N cases. */

import { parseArgs } from 'node:util';
import { databaseAt } from '../addresses.ts';
import { CliError, exitWith } from '../cli-error.ts';
import { dataDirAt } from '../data-dir.ts';
import { devFileOfRunning } from '../dev-files.ts';
import { parseOptions } from '../options.ts';
import { makeHistory } from './make-history.ts';
import { profileFirm, tableOf } from './profile-firm.ts';
import { seedFirm } from './seed-firm.ts';

const usage = 'npm run demo:history [-- --cases <1 to 1000000> [--profile]]';

try {
  const { cases, profile } = optionsOf(process.argv.slice(2));
  const dev = devFileOfRunning(dataDirAt(parseOptions([], process.env).dataDir));
  const urlOf = (service: string) => databaseAt(dev.mongodb_url, service);
  const urls = { identityUrl: urlOf('identity'), casesUrl: urlOf('cases'), monitorUrl: urlOf('monitor') };
  if (cases === null) await makeHistory(dev, (line) => console.log(line));
  else {
    const say = (stored: number) => {
      if (stored % 10_000 === 0 || stored === cases) console.log(`${stored} of ${cases} cases`);
    };
    await seedFirm({ ...urls, partnerId: dev.partner.id, cases, say });
  }
  if (profile) console.log(tableOf(await profileFirm({ ...urls, dev })));
  process.exit(0);
} catch (err) {
  exitWith(err);
}

/** `cases` null: the small history, through the interface. */
function optionsOf(args: string[]): { cases: number | null; profile: boolean } {
  const { values } = parseArgs({
    args,
    options: { cases: { type: 'string' }, profile: { type: 'boolean' } },
  });
  const cases = values.cases === undefined ? null : Number(values.cases);
  if (cases !== null && (!Number.isInteger(cases) || cases < 1 || cases > 1_000_000))
    throw new CliError(usage);
  return { cases, profile: values.profile ?? false };
}
