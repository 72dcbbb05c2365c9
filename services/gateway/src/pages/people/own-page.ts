import { z } from 'zod';

// A page that can be shown again: after sign-in, or in another language.
const pattern = /^\/(cases\/(new|FLOW\d{7,16})|cases|settings|data|start)(?=[/?]|$)/;

/** The page at an address, or where its forms stand; without a query, which can be of a mail program. Null: none that can be shown again. */
export function ownPageAt(url: string): string | null {
  return pattern.exec(url)?.[0] ?? null;
}

/** A path of ours, never an address that someone else has chosen. */
export const ownPage = z
  .string()
  .transform((url) => ownPageAt(url) ?? '/cases')
  .catch('/cases');
