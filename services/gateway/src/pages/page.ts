import type { ErrorCode, OperationName, Operations, Scope, Success } from '@casewatch/contracts';
import type { Bus, Markup } from '@casewatch/platform';
import type { z } from 'zod';
import type { Times } from './parts/time.ts';

type Input<N extends OperationName, Part extends 'params' | 'query' | 'body'> = Operations[N] extends {
  readonly [P in Part]: infer Schema extends z.ZodType;
}
  ? { readonly [P in Part]?: z.input<Schema> | WireParams }
  : unknown;

type WireParams = Readonly<Record<string, string | number | undefined>>;

export type AskInput<N extends OperationName> = Input<N, 'params'> &
  Input<N, 'query'> &
  Input<N, 'body'> & {
    readonly idempotencyKey?: string | undefined /** Instead of a body: CSV. */;
    readonly file?: Buffer;
  };

/** Calls an operation of a service as the person of the session. @throws ApiError the refusal of the service */
export type Ask = <N extends OperationName>(name: N, input?: AskInput<N>) => Promise<Success<N>>;

/** The values of a form as they were sent. A name that was sent several times has a list. */
export type Posted = Readonly<Record<string, string | readonly string[]>>;

export type PageCall<Session, Params = unknown, Query = unknown, Form = unknown> = {
  readonly session: Session;
  readonly params: Params;
  readonly query: Query;
  readonly form: Form;
  readonly ask: Ask;
  /** Asks a service over the bus, which judges no rights: the page says what the session may know. */
  readonly request: Bus['request'];
  readonly times: Times;
  /** Path and query of this page. */
  readonly url: string;
};

/** Why a form or a filter was refused: a sentence for the top of the page, and sentences by field. */
export type Refusal = {
  readonly status: number;
  readonly code: ErrorCode;
  readonly retryAfterS?: number | undefined;
  readonly message: string;
  readonly fields: Readonly<Record<string, string>>;
  readonly posted: Posted;
};

export type View = {
  readonly title: string;
  readonly main: Markup;
  readonly status?: number;
  /** A page of ours where this can be shown again in another language, if not at its own address. */
  readonly again?: string | null;
  /** The page asks for itself again while it is visible. */
  readonly isLive?: boolean;
  /** What the services said for it, by which it asks whether there is something new. */
  readonly seen?: string | undefined;
  /** What was done has ended the session: the browser forgets it, and the page has the partner's name but no menu. */
  readonly endsSession?: true;
};

/** After a change: where the browser goes. `to` is a path of ours. */
export type Redirect = { readonly to: string };

/** A file that the browser saves. */
export type Download = {
  readonly file: { readonly name: string; readonly type: string; readonly text: string };
};

export type PageAnswer = View | Redirect | Download;

/** One page or one form. A form whose `handle` throws is answered by `refused`, as are wrong values in the address of a page. */
export type Page<Session, Params = never, Query = never, Form = never> = {
  readonly method: 'GET' | 'POST';
  readonly path: string;
  readonly scope: Scope | null;
  readonly params?: z.ZodType<Params>;
  readonly query?: z.ZodType<Query>;
  readonly form?: z.ZodType<Form>;
  /** The form is sent as `multipart/form-data` with a file, which arrives as base64. */
  readonly takesFile?: true;
  readonly handle: (call: PageCall<Session, Params, Query, Form>) => Promise<PageAnswer>;
  readonly refused?: (call: PageCall<Session, Params, unknown, null>, refusal: Refusal) => Promise<View>;
};

/** A page of any form: tables of pages hold these. */
// biome-ignore lint/suspicious/noExplicitAny: each page checks its own types in `consolePage` or `personPage`
export type AnyPage<Session> = Page<Session, any, any, any>;

export type FormPages<Session, Params, Form> = Omit<
  Page<Session, Params, unknown, Form>,
  'method' | 'query' | 'refused'
> & {
  /** The page with its form; with the reasons after a refusal. */
  readonly view: (call: PageCall<Session, Params>, refusal: Refusal | null) => Promise<View>;
};

/** A form with an address of its own: GET shows the form, POST takes it, or shows it again with what was refused. */
export function formPages<Session, Params, Form>({
  view,
  ...post
}: FormPages<Session, Params, Form>): AnyPage<Session>[] {
  const { form: _, ...get } = post;
  return [
    { ...get, method: 'GET', handle: async (call: PageCall<Session, Params>) => await view(call, null) },
    { ...post, method: 'POST', refused: view },
  ];
}
