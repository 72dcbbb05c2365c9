import { z } from 'zod';
import { name } from '../fields.ts';
import { operation } from '../operation.ts';
import { consoleLink } from '../resources/console-link.ts';
import { done } from './common.ts';

const day = 24 * 60 * 60;

/** Entry to the partner console (faces.md, Partner console). */
export const consoleLinkOperations = {
  create_console_link: operation({
    service: 'identity',
    method: 'POST',
    path: '/v1/client/console-links',
    summary: 'Create a console link',
    note: 'Creates a link that opens the partner console in a browser. The link works once, for 10 minutes. The console can do what the calling key can do, until `expires_in` seconds have passed or the key has ended.',
    who: ['partner'],
    scope: 'keys',
    role: 'owner',
    isSensitive: true,
    recorded: 'effect',
    body: z.strictObject({
      actor: name.describe('The person who will use the console, for example an e-mail address.'),
      read_only: z.boolean().default(false),
      expires_in: z.int().min(60).max(day).default(28_800),
    }),
    success: { status: 200, body: z.strictObject({ ...done, console_link: consoleLink }) },
    errors: [],
  }),
};
