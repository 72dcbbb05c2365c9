/** Values of settings by their names. */
export type Values = Record<string, string>;
/** What each deployment holds, by its name. */
export type Held = Record<string, Values>;

/** The three steps of a rotation (docs/operations.md): everybody opens both, everybody makes the new, the old is gone. */
export type Step = 1 | 2 | 3;

/** Settings that are rings, by deployment. */
export const rings: Readonly<Record<string, readonly string[]>> = {
  identity: ['CURSOR_KEY', 'SECRET_PEPPER'],
  cases: ['CURSOR_KEY'],
  webhooks: ['CURSOR_KEY', 'WEBHOOKS_ENCRYPTION_KEY'],
  notifier: ['NOTIFIER_ENCRYPTION_KEY', 'NOTIFIER_HMAC_KEY'],
};

type Rotation = {
  from: Held;
  to: Held;
  step: Step;
  /** Rings whose former value is still needed after the last step. */
  kept?: readonly string[];
};

/** What each deployment is to hold in a step on the way from one set of secrets to another. */
export function heldIn({ from, to, step, kept = [] }: Rotation): Held {
  return Object.fromEntries(
    Object.entries(to).map(([deployment, values]) => [
      deployment,
      Object.fromEntries(
        Object.entries(values).map(([name, next]) => {
          const former = from[deployment]?.[name] ?? next;
          const isRing = rings[deployment]?.includes(name) ?? false;
          const at = step === 3 && kept.includes(name) ? 2 : step;
          if (isRing) return [name, ringIn(former, next, at)];
          if (name === 'PRINCIPAL_JWKS') return [name, at === 3 ? next : joinJwks(former, next)];
          return [name, at === 1 ? former : next];
        }),
      ),
    ]),
  );
}

/** What differs, deployment by deployment; those that hold the same already are left out. */
export function changesBetween(before: Held, after: Held): Held {
  const changes = Object.entries(after).map(([deployment, values]): [string, Values] => [
    deployment,
    Object.fromEntries(
      Object.entries(values).filter(([name, value]) => before[deployment]?.[name] !== value),
    ),
  ]);
  return Object.fromEntries(changes.filter(([, values]) => Object.keys(values).length > 0));
}

/** A ring has spaces between its values; the first makes what is new. */
function ringIn(former: string, next: string, step: Step): string {
  if (step === 3) return next;
  const others = former.split(' ').filter((value) => value !== next);
  return (step === 1 ? [...others, next] : [next, ...others]).join(' ');
}

/** One JWKS with the keys of both, each once. */
export function joinJwks(...texts: string[]): string {
  const keys = texts.flatMap((text) => (JSON.parse(text) as { keys: { kid: string }[] }).keys);
  return JSON.stringify({ keys: [...new Map(keys.map((key) => [key.kid, key])).values()] });
}
