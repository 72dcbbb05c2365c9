import { idText } from '@casewatch/contracts';
import { z } from 'zod';

export const userPath = z.object({ user_id: idText });
