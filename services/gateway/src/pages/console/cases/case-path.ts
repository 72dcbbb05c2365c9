import { caseRef } from '@casewatch/contracts';
import { z } from 'zod';

export const casePath = z.object({ case_ref: caseRef });
