/** A notifier whose clock is as many ms ahead as its argument says; clocks.test.ts kills it. */
import { readConfig } from '@casewatch/platform';
import { notifierConfig } from '../../src/config.ts';
import { startNotifier } from '../../src/service.ts';
import { shiftedClock } from './shifted-clock.ts';

await startNotifier(readConfig(notifierConfig, process.env), shiftedClock(Number(process.argv[2])));
