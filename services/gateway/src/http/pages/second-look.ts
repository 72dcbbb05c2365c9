import { createHash } from 'node:crypto';
import type { ServiceAnswer } from '../../clients/service-client.ts';

// A page that is open asks every few seconds whether there is something new (enhance.js). The first answer tells it what each
// request to a service said, as a digest. The next question brings these digests, and whose turn it is: the gateway asks that one
// service. If it says the same, the answer is 204, for the cost of one request; otherwise the page is made as a whole. The turns go
// round, so what changed anywhere is on the screen after as many questions as the page makes requests, and nothing is kept here.

/** `<turn> <digest>,<digest>…` in the order in which the page makes its requests. */
export const lookHeader = 'second-look';
const format = /^(\d{1,9}) ([\w-]{16}(?:,[\w-]{16}){0,19})$/;

/** Ends the work on a page that shows already what there is. */
export class NothingNew extends Error {}

/** What a page asks of one service together. `reads`: how it gets the answers. */
type Request<Read> = {
  readonly reads: readonly Read[];
  settle(answers: readonly ServiceAnswer[]): void;
  fail(error: unknown): void;
};

export type Look = ReturnType<typeof createLook>;

/** @param header of the request for the page; without it the page is made as a whole */
export function createLook(header: string | undefined) {
  const [, turn, known = ''] = format.exec(header ?? '') ?? [];
  const before = known.split(',');
  const looked = turn === undefined ? null : Number(turn) % before.length;
  const digests: string[] = [];
  let isWhole = true;

  return {
    /** Sends requests that begin together. Before the one whose turn it is has answered something new, those beside it are not sent. */
    async send<Read>(
      requests: readonly Request<Read>[],
      ask: (reads: readonly Read[]) => Promise<readonly ServiceAnswer[]>,
    ): Promise<void> {
      const first = digests.length;
      digests.push(...requests.map(() => ''));
      const sendOne = async ({ reads, settle, fail }: Request<Read>, place: number) => {
        try {
          const answers = await ask(reads);
          digests[place] = digestOf(answers);
          if (place === looked && digests[place] === before[place]) {
            for (const request of requests) request.fail(new NothingNew());
            return false;
          }
          settle(answers);
        } catch (error) {
          // What failed may succeed the next time: its digest is never the same.
          fail(error);
        }
        return true;
      };
      const ofTurn = looked === null ? undefined : requests[looked - first];
      if (ofTurn && !(await sendOne(ofTurn, looked ?? 0))) return;
      await Promise.all(
        requests.map(async (request, i) => request === ofTurn || (await sendOne(request, first + i))),
      );
    },

    /** The page also asked for what is not read together with others: each question makes it as a whole. */
    ask(): void {
      isWhole = false;
    },

    /** What the page sends back; undefined: it is always made as a whole. */
    digests(): string | undefined {
      return isWhole && digests.length > 0 ? digests.map((digest) => digest || failed).join() : undefined;
    },
  };
}

const failed = '-'.repeat(16);

/** Refusals have the id of their request: they count by their status. Cursors have the time at which they were issued. */
function digestOf(answers: readonly ServiceAnswer[]): string {
  const withoutCursors = (name: string, value: unknown) => (name.endsWith('cursor') ? value !== null : value);
  const said = answers.map(({ status, body }) =>
    status < 400 && body !== '' ? JSON.parse(body, withoutCursors) : status,
  );
  return createHash('sha256').update(JSON.stringify(said)).digest('base64url').slice(0, 16);
}
