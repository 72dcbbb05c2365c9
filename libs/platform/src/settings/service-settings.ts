import type { z } from 'zod';
import type { baseSettings, principalSettings, storeSettings } from './config.ts';
import { type SettingsSchema, settingsOf } from './settings-of.ts';

type Parsed<S extends z.core.$ZodLooseShape> = z.output<z.ZodObject<S>>;

/** The settings that the chassis reads. Only services with a database or operations have the optional ones. */
export type ServiceSettings = Parsed<typeof baseSettings> &
  Partial<Parsed<typeof storeSettings> & Parsed<typeof principalSettings>>;

/** Longest value in the summary, characters: longer ones are certificates and key sets. */
const longest = 200;

const contact = /@|\+\d{7}/;

/** The effective settings for the log. Secrets, contacts and long values are `[set]`. */
export function summaryOf(schema: SettingsSchema, config: Readonly<Record<string, unknown>>) {
  const secrets = new Set(settingsOf(schema).flatMap(({ name, isSecret }) => (isSecret ? name : [])));
  const present = Object.entries(config).filter(([, value]) => value !== undefined);
  return Object.fromEntries(
    present.map(([name, value]) => {
      const text = JSON.stringify(value);
      const isReadable = !secrets.has(name) && text.length <= longest && !contact.test(text);
      return [name, isReadable ? value : '[set]'];
    }),
  );
}
