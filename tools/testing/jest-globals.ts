/** What a test file imports from '@jest/globals'. Support modules outlive the file for which jest made its functions. */
let current: Record<string, unknown> = {};

export function setGlobals(globals: Record<string, unknown>): void {
  current = globals;
}

/** The function or object with this name that jest made for the test file that runs now. */
function live(name: string): (...args: unknown[]) => unknown {
  const target = (): Record<string, unknown> => current[name] as Record<string, unknown>;
  return new Proxy(() => undefined, {
    apply: (_target, _self, args) => Reflect.apply(target() as never, undefined, args),
    get: (_target, property) => bound(target(), property),
  });
}

function bound(owner: Record<string, unknown>, property: string | symbol): unknown {
  const value: unknown = Reflect.get(owner, property);
  const isMethod = typeof value === 'function' && typeof owner !== 'function';
  return isMethod ? value.bind(owner) : value;
}

export const describe = live('describe');
export const it = live('it');
export const expect = live('expect');
export const jest = live('jest');
export const beforeAll = live('beforeAll');
export const afterAll = live('afterAll');
export const beforeEach = live('beforeEach');
export const afterEach = live('afterEach');
