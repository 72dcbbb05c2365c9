import { migrate } from '@casewatch/platform';
import { notifier } from './service.ts';

await migrate(notifier);
