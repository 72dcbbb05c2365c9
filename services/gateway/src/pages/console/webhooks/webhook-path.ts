import { idText } from '@casewatch/contracts';
import { z } from 'zod';

export const webhookPath = z.object({ webhook_id: idText });
