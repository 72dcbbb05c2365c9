import { z } from 'zod';
import { id, isoTime } from '../fields.ts';
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

/** Endpoints of a partner that get nothing at the moment, for the digest of its owners. */
export const failingRequest = z.object({ partner_id: id });

/** Oldest first, at most 10: those whose every delivery fails since `at`, and those disabled for that in the last 7 days, at `at`. */
export const failingReply = z.object({
  endpoints: z.array(z.object({ id, host: z.string().max(253), disabled: z.boolean(), at: isoTime })).max(10),
});

export type FetchLogoReply = z.infer<typeof fetchLogoReply>;
