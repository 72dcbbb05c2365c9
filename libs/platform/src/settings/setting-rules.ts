import { z } from 'zod';
import { isDemoValue, weaknessOf } from './weak-secret.ts';

/** The texts of all settings, as the environment gives them. */
export type SettingTexts = Readonly<Record<string, string>>;

type Rule = {
  /** Its value is never shown, and belongs into a file (`NAME_FILE`) rather than into the environment. */
  isSecret?: boolean;
  /** What is wrong with this text beside the other settings, in every environment; undefined: nothing. */
  beside?(text: string, all: SettingTexts): string | undefined;
  /** What is wrong with this text in production; undefined: nothing. The text is never quoted. */
  inProduction?(text: string, all: SettingTexts): string | undefined;
  /** What is wrong in production where this setting is left out; undefined: nothing. */
  leftOutOfProduction?(all: SettingTexts): string | undefined;
};

const rules = z.registry<Rule>();

/** What holds for a setting beyond its schema, through `.default()`, `.optional()` and `.describe()`. */
export function ruleOf(schema: z.core.$ZodType): Rule {
  const rule = rules.get(schema);
  if (rule) return rule;
  const inner = (schema as { def?: { innerType?: z.core.$ZodType } }).def?.innerType;
  return inner ? ruleOf(inner) : {};
}

/** A setting with a rule of production's. */
export function inProduction<S extends z.ZodType>(schema: S, rule: NonNullable<Rule['inProduction']>): S {
  return addRules(schema, { inProduction: rule });
}

/** A setting with these rules beside those that it has. */
export function addRules<S extends z.ZodType>(schema: S, more: Rule): S {
  return withRule(schema, { ...ruleOf(schema), ...more });
}

/** A secret, or several with spaces between them: in production each must be hard to guess. */
export function asSecret<S extends z.ZodType>(
  schema: S,
  rule: NonNullable<Rule['inProduction']> = eachIsStrong,
): S {
  return withRule(schema, { isSecret: true, inProduction: rule });
}

/** On a copy: a schema may serve several settings. */
function withRule<S extends z.ZodType>(schema: S, rule: Rule): S {
  const own = schema.clone() as S;
  rules.add(own, rule);
  return own;
}

function eachIsStrong(text: string): string | undefined {
  return text
    .split(/\s+/)
    .map(weaknessOf)
    .find((weakness) => weakness !== undefined);
}

/** For secrets that somebody else made, and keys: only the demo's own are refused. */
export function notDemo(text: string): string | undefined {
  return isDemoValue(text) ? 'is a demo value, known to everybody' : undefined;
}

/** An address that production reaches by https alone. */
export function httpsInProduction<S extends z.ZodType>(schema: S): S {
  return inProduction(schema, (text) =>
    text.startsWith('https://') ? undefined : 'must begin with https://',
  );
}

/** A number that only development and tests may set higher. */
export function atMostInProduction<S extends z.ZodType>(schema: S, max: number): S {
  return inProduction(schema, (text) =>
    Number(text) <= max ? undefined : `must be at most ${max} in production`,
  );
}

/** For what only development and tests may set to this. */
export function notInProduction<S extends z.ZodType>(schema: S, isHarmless: (text: string) => boolean): S {
  return inProduction(schema, (text) => (isHarmless(text) ? undefined : 'is for development only'));
}

/** Every fault that a setting has only beside the others, each with its setting's name. */
export function faultsBeside(schema: z.ZodObject, texts: SettingTexts): string[] {
  return Object.entries(texts).flatMap(([key, text]) => {
    const fault = ruleOf(schema.shape[key]).beside?.(text, texts);
    return fault === undefined ? [] : [`${key}: ${fault}`];
  });
}

/** Every fault of these settings that is one in production only, each with its setting's name. */
export function productionFaults(schema: z.ZodObject, texts: SettingTexts): string[] {
  const faults: string[] = [];
  const seen = new Map<string, string>();
  for (const [key, setting] of Object.entries(schema.shape)) {
    const { inProduction: judge, isSecret, leftOutOfProduction } = ruleOf(setting);
    const text = texts[key];
    const fault = text === undefined ? leftOutOfProduction?.(texts) : judge?.(text, texts);
    if (fault !== undefined) faults.push(`${key}: ${fault}`);
    // One certificate may serve several connections, so its key may come more than once.
    if (!isSecret || text === undefined || text.startsWith('-----BEGIN ')) continue;
    for (const secret of new Set(text.split(/\s+/))) {
      const other = seen.get(secret);
      if (other !== undefined) faults.push(`${key}: is the same as ${other}`);
      else seen.set(secret, key);
    }
  }
  return faults;
}
