import { type EventData, type LimitPolicy, maxCountsPerMessage } from '@casewatch/contracts';
import type { Bus } from '@casewatch/platform';
import { createRound } from './round.ts';

/** How often a gateway tells the others what it let in, ms (interface.md §1, Limits). */
const everyMs = 250;
/** A gateway not heard for this long is gone, ms. */
const silentMs = 1_000;
/** How long answers to a question are waited for, ms. */
const answerMs = 100;

/** Policy, who, how many requests. */
export type Count = EventData<'gateway.counted'>['counts'][number];

/** The gateways' exchange of what each of them let in. */
export type Exchange = {
  /** Notes one request that this gateway let in. */
  note(policy: LimitPolicy, id: string): void;
  /** How many of this gateway's own the others may not have taken into account. */
  unheard(policy: LimitPolicy, id: string): number;
  /** How many gateways there are, this one included. */
  replicas(): number;
  /** Tells and asks all others now; resolves when they have answered, or had the time to. */
  catchUp(): Promise<void>;
  stop(): void;
};

type Options = { bus: Bus; replica: string; now: () => number; onCounts: (counts: Count[]) => void };

/**
 * Starts telling and listening. What this gateway told is known to all when each other gateway has been heard since:
 * then the round is over. While the bus is away there are no others.
 */
export function startExchange({ bus, replica, now, onCounts }: Options): Exchange {
  const heardAt = new Map<string, number>();
  let untold = new Map<string, Count>();
  let told = new Map<string, number>();
  let asked = false;
  let isStopped = false;
  let round = beginRound();

  function beginRound(withinMs?: number) {
    asked = withinMs !== undefined;
    const onEnd = () => {
      told = new Map();
    };
    return createRound({ others: heardAt.keys(), onEnd, ...(withinMs !== undefined && { withinMs }) });
  }

  function tell(ask: boolean): void {
    const counts = [...untold.values()];
    untold = new Map();
    if (!bus.isConnected()) {
      // What the others miss now would come too late to be counted in the right minute: it is dropped.
      heardAt.clear();
      return;
    }
    for (const [policy, id, count] of counts) told.set(keyOf(policy, id), unheard(policy, id) + count);
    bus.publish('gateway.counted', { replica, ask, counts: heaviest(counts) });
  }

  function unheard(policy: LimitPolicy, id: string): number {
    const key = keyOf(policy, id);
    return (untold.get(key)?.[2] ?? 0) + (told.get(key) ?? 0);
  }

  function takeTurn(): void {
    const goneSince = now() - silentMs;
    for (const [other, at] of heardAt) if (at < goneSince) heardAt.delete(other);
    tell(false);
    round.keepOnly(heardAt);
    if (round.isOver()) round = beginRound();
  }

  async function hear({ replica: other, ask, counts }: EventData<'gateway.counted'>): Promise<void> {
    if (other === replica || isStopped) return;
    const isNew = !heardAt.has(other);
    heardAt.set(other, now());
    onCounts(counts);
    if (ask || isNew) tell(false);
    round.heard(other);
  }

  bus.subscribe('gateway.counted', hear, { everyReplica: true });
  const timer = setInterval(takeTurn, everyMs);
  tell(false);

  return {
    note(policy, id) {
      const key = keyOf(policy, id);
      untold.set(key, [policy, id, (untold.get(key)?.[2] ?? 0) + 1]);
    },
    unheard,
    replicas: () => 1 + heardAt.size,
    async catchUp() {
      if (!asked || round.isOver()) {
        tell(true);
        // Nobody waits for the round of a turn: this one takes its place.
        round = beginRound(answerMs);
      }
      await round.over;
    },
    stop() {
      isStopped = true;
      clearInterval(timer);
      round.end();
    },
  };
}

function keyOf(policy: LimitPolicy, id: string): string {
  return `${policy} ${id}`;
}

/** Of a flood of addresses with a request each, not all is worth telling: each gateway counts what it sees of it. */
function heaviest(counts: Count[]): Count[] {
  if (counts.length <= maxCountsPerMessage) return counts;
  return counts.sort(([, , a], [, , b]) => b - a).slice(0, maxCountsPerMessage);
}
