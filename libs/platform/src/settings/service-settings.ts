import type { z } from 'zod';
import type { baseSettings, principalSettings, storeSettings } from './config.ts';
import { type SettingsSchema, settingsOf } from './settings-of.ts';

type Parsed<S extends z.core.$ZodLooseShape> = z.output<z.ZodObject<S>>;

/** The settings that the chassis reads: every service has the first, those with a database or operations the others. */
export type ServiceSettings = Parsed<typeof baseSettings> &
  Partial<Parsed<typeof storeSettings> & Parsed<typeof principalSettings>>;

/** Longest value in the summary, characters: certificates and key sets are named only. */
const longest = 200;

/** An e-mail address or a phone number: logs have none, not even those of the operator. */
const contact = /@|\+\d{7}/;

/** The settings in effect, for the log. A secret, a contact, and what is too long to read, is only said to be set. */
export function summaryOf(schema: SettingsSchema, config: Readonly<Record<string, unknown>>) {
  const secrets = new Set(settingsOf(schema).flatMap(({ name, isSecret }) => (isSecret ? name : [])));
  const set = Object.entries(config).filter(([, value]) => value !== undefined);
  return Object.fromEntries(
    set.map(([name, value]) => {
      const text = JSON.stringify(value);
      const isShown = !secrets.has(name) && text.length <= longest && !contact.test(text);
      return [name, isShown ? value : '[set]'];
    }),
  );
}
