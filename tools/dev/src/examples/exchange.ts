import type { OperationName, Operations } from '@casewatch/contracts';
import type { Ask } from '@casewatch/driver';
import type { World } from './world.ts';

/** Brings about what an example needs, and says what is asked then. */
export type Make = (world: World) => Ask | Promise<Ask>;

/** What each operation shows: an answer of each kind that succeeds, and each error of its own. */
export type Recipes<Names extends OperationName> = {
  readonly [N in Names]: {
    readonly success: Make;
    readonly errors: Readonly<Record<OwnError<N>, Make>>;
  } & (Operations[N] extends { readonly toAnonymous: unknown } ? { readonly toAnonymous: Make } : unknown);
};

/** Own errors that mean the same everywhere; they are shown once, by `recipes/general.ts`. */
type General = 'rate_limited' | 'invalid_cursor' | 'empty_update';

type OwnError<N extends OperationName> = Exclude<Operations[N]['errors'][number], General>;
