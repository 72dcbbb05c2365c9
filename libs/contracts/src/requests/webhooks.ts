import { z } from 'zod';
import { unknownValues } from '../reading/unknown-values.ts';
import { logoFault } from '../resources/client.ts';

/** Webhooks fetches logos because it calls addresses of partners anyway, and refuses private ones. */
export const fetchLogoRequest = z.object({ url: z.string().max(2_048) });

/** A type of tomorrow is a picture that does not load, at worst. */
const pictureType = z.enum(['png', 'jpg', 'webp']).register(unknownValues, { readAs: 'png' });

/** `content`: base64 of at most `maxLogoBytes`; the type follows from its first bytes. */
export const fetchLogoReply = z
  .discriminatedUnion('outcome', [
    z.object({ outcome: z.literal('fetched'), type: pictureType, content: z.string() }),
    z.object({ outcome: z.literal('refused'), fault: logoFault }),
  ])
  .register(unknownValues, { readAs: 'refused' });

/** One logo, also in base64 within a message of NATS (1 MiB). */
export const maxLogoBytes = 200 * 1024;

export type FetchLogoReply = z.infer<typeof fetchLogoReply>;
