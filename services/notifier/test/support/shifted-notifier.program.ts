/** A notifier whose clock is as many ms ahead as its argument says; clocks.test.ts kills it. */
import { start } from '@casewatch/platform';
import { notifier } from '../../src/service.ts';
import { shiftedClock } from './shifted-clock.ts';

await start(notifier, process.env, { clock: shiftedClock(Number(process.argv[2])) });
