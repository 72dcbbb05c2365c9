import { z } from 'zod';

// A page that can be shown again: after sign-in, or in another language.
const pattern = /^\/(cases(\/(new|FLOW\d{7,16}))?|settings|data|start)$/;

/** A path of ours, never an address that someone else has chosen. */
export const ownPage = z.string().regex(pattern).catch('/cases');
