import { migrate } from '@casewatch/platform/database';
import { notifier } from './service.ts';

await migrate(notifier);
