export type Options = {
  forwardTo: URL;
  gateway: URL;
  headers: Record<string, string>;
  /** Names such as `user.created`, families such as `case.*`, or `*`; null: all events. */
  types: string[] | null;
  since: string | null;
  /** The file with the position. */
  state: string;
};

/** `account`: a cursor is valid for one account only. */
export type Position = { account: string; secret: string; cursor: string | null; since: string };

export type Event = { id: string; type: string; timestamp: string; data: object };
export type Page = { events: Event[]; has_more: boolean; next_cursor: string };

/** `signal` ends the run. */
export type Run = { say(line: string): void; signal: AbortSignal };
export type Start = Pick<Options, 'gateway' | 'headers'> & Pick<Position, 'cursor' | 'since'>;
export type Target = Pick<Options, 'forwardTo'> & Pick<Position, 'secret'>;
export type Answer = { body: unknown } | { reason: string; retryAfterMs: number | null };
export type Problem = { message?: string; retryable?: boolean };

export type OptionsOf = (words: string[], env: Record<string, string | undefined>) => Options;
export type UrlOf = (text: string | undefined, sentence: string) => URL;
export type Listen = (options: Options, run: Run) => Promise<void>;
export type Follow = (start: Start, run: Run) => AsyncGenerator<Page>;
export type Ask = (url: URL, headers: Record<string, string>, signal: AbortSignal) => Promise<Answer>;
export type Pause = (ms: number, signal: AbortSignal) => Promise<void>;
export type Forward = (event: Event, target: Target, run: Run) => Promise<boolean>;
export type Post = (event: Event, body: string, target: Target & { signal: AbortSignal }) => Promise<number>;
export type LoadPosition = (
  options: Pick<Options, 'state' | 'gateway' | 'headers' | 'since'>,
) => Position & { isNew: boolean };
export type IsWanted = (filters: string[], type: string) => boolean;
export type CheckTypes = (
  filters: string[],
  from: Pick<Options, 'gateway' | 'headers'>,
  signal: AbortSignal,
) => Promise<void>;
