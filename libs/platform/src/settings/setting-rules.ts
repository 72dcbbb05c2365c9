import { z } from 'zod';
import { isDemoValue, weaknessOf } from './weak-secret.ts';

export type SettingTexts = Readonly<Record<string, string>>;

/** Each check returns the fault of a setting, without its value, or undefined. */
type Rule = {
  /** The value is never shown. Set it as a file (`NAME_FILE`). */
  isSecret?: boolean;
  check?(text: string, all: SettingTexts): string | undefined;
  checkMissing?(all: SettingTexts): string | undefined;
  checkInProduction?(text: string, all: SettingTexts): string | undefined;
  checkMissingInProduction?(all: SettingTexts): string | undefined;
};

const rules = z.registry<Rule>();

/** The rule of a schema, through `.default()`, `.optional()` and `.describe()`. */
export function ruleOf(schema: z.core.$ZodType): Rule {
  const rule = rules.get(schema);
  if (rule) return rule;
  const inner = (schema as { def?: { innerType?: z.core.$ZodType } }).def?.innerType;
  return inner ? ruleOf(inner) : {};
}

export function inProduction<S extends z.ZodType>(
  schema: S,
  checkInProduction: NonNullable<Rule['checkInProduction']>,
): S {
  return addRules(schema, { checkInProduction });
}

/** Adds rules to a copy, because a schema may serve several settings. */
export function addRules<S extends z.ZodType>(schema: S, more: Rule): S {
  const copy = schema.clone() as S;
  rules.add(copy, { ...ruleOf(schema), ...more });
  return copy;
}

/** One or more secrets separated by spaces. By default production refuses weak ones. */
export function asSecret<S extends z.ZodType>(
  schema: S,
  checkInProduction: NonNullable<Rule['checkInProduction']> = eachIsStrong,
): S {
  return addRules(schema, { isSecret: true, checkInProduction });
}

function eachIsStrong(text: string): string | undefined {
  return text
    .split(/\s+/)
    .map(weaknessOf)
    .find((weakness) => weakness !== undefined);
}

/** For keys and for secrets of other companies, whose strength is not ours to check. */
export function notDemo(text: string): string | undefined {
  return isDemoValue(text) ? 'is a demo value, known to everybody' : undefined;
}

export function httpsInProduction<S extends z.ZodType>(schema: S): S {
  return inProduction(schema, (text) =>
    text.startsWith('https://') ? undefined : 'must begin with https://',
  );
}

export function atMostInProduction<S extends z.ZodType>(schema: S, max: number): S {
  return inProduction(schema, (text) =>
    Number(text) <= max ? undefined : `must be at most ${max} in production`,
  );
}

export function atLeastInProduction<S extends z.ZodType>(schema: S, min: number): S {
  return inProduction(schema, (text) =>
    Number(text) >= min ? undefined : `must be at least ${min} in production`,
  );
}

export function notInProduction<S extends z.ZodType>(schema: S, isHarmless: (text: string) => boolean): S {
  return inProduction(schema, (text) => (isHarmless(text) ? undefined : 'is for development only'));
}

export function relatedFaults(
  schema: z.ZodObject,
  texts: SettingTexts,
  isUnreadable: (key: string) => boolean,
): string[] {
  return Object.entries(schema.shape).flatMap(([key, setting]) => {
    const { check, checkMissing } = ruleOf(setting);
    const text = texts[key];
    if (isUnreadable(key)) return [];
    const fault = text === undefined ? checkMissing?.(texts) : check?.(text, texts);
    return fault === undefined ? [] : [`${key}: ${fault}`];
  });
}

/** The faults that only production has. No two settings may have the same secret. */
export function productionFaults(schema: z.ZodObject, texts: SettingTexts): string[] {
  const faults: string[] = [];
  const seen = new Map<string, string>();
  for (const [key, setting] of Object.entries(schema.shape)) {
    const { checkInProduction, checkMissingInProduction, isSecret } = ruleOf(setting);
    const text = texts[key];
    const fault = text === undefined ? checkMissingInProduction?.(texts) : checkInProduction?.(text, texts);
    if (fault !== undefined) faults.push(`${key}: ${fault}`);
    // Several connections may use the same certificate and its key.
    if (!isSecret || text === undefined || text.startsWith('-----BEGIN ')) continue;
    for (const secret of new Set(text.split(/\s+/))) {
      const other = seen.get(secret);
      if (other !== undefined) faults.push(`${key}: is the same as ${other}`);
      else seen.set(secret, key);
    }
  }
  return faults;
}
