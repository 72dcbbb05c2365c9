export type Values = Record<string, string>;
export type Deployed = Record<string, Values>;

/** Steps of a rotation (docs/operations.md): 1 read both, write the old; 2 read both, write the new; 3 the new alone. */
export type Step = 1 | 2 | 3;

export const rings: Readonly<Record<string, readonly string[]>> = {
  identity: ['CURSOR_KEY', 'SECRET_PEPPER'],
  cases: ['CURSOR_KEY'],
  webhooks: ['CURSOR_KEY', 'WEBHOOKS_ENCRYPTION_KEY'],
  notifier: ['NOTIFIER_ENCRYPTION_KEY', 'NOTIFIER_HMAC_KEY'],
};

type Rotation = {
  from: Deployed;
  to: Deployed;
  step: Step;
  /** Rings that keep the former value after the last step. */
  kept?: readonly string[];
};

export function settingsAtStep({ from, to, step, kept = [] }: Rotation): Deployed {
  return Object.fromEntries(
    Object.entries(to).map(([deployment, values]) => [
      deployment,
      Object.fromEntries(
        Object.entries(values).map(([name, next]) => {
          const former = from[deployment]?.[name] ?? next;
          const isRing = rings[deployment]?.includes(name) ?? false;
          const settingStep = step === 3 && kept.includes(name) ? 2 : step;
          if (isRing) return [name, ringIn(former, next, settingStep)];
          if (name === 'PRINCIPAL_JWKS') return [name, settingStep === 3 ? next : joinJwks(former, next)];
          return [name, settingStep === 1 ? former : next];
        }),
      ),
    ]),
  );
}

/** The settings that differ; deployments without a difference are left out. */
export function changesBetween(before: Deployed, after: Deployed): Deployed {
  const changes = Object.entries(after).map(([deployment, values]): [string, Values] => [
    deployment,
    Object.fromEntries(
      Object.entries(values).filter(([name, value]) => before[deployment]?.[name] !== value),
    ),
  ]);
  return Object.fromEntries(changes.filter(([, values]) => Object.keys(values).length > 0));
}

/** Values of a ring are separated by spaces; new data is written with the first. */
function ringIn(former: string, next: string, step: Step): string {
  if (step === 3) return next;
  const remaining = former.split(' ').filter((value) => value !== next);
  return (step === 1 ? [...remaining, next] : [next, ...remaining]).join(' ');
}

export function joinJwks(...texts: string[]): string {
  const keys = texts.flatMap((text) => (JSON.parse(text) as { keys: { kid: string }[] }).keys);
  return JSON.stringify({ keys: [...new Map(keys.map((key) => [key.kid, key])).values()] });
}
