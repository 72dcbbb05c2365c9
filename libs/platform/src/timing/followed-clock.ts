import type { Logger } from '../telemetry/logger.ts';
import type { Clock } from './clock.ts';

/** Longest round trip of a reading that counts, ms: half of it is the largest error of the reading. */
export const maxRoundTripMs = 250;
/** A difference up to this is followed, ms. */
const followedMs = 2_000;
/** How fast the time moves towards a reading, in ms for each ms that passes. */
const slewRate = 0.05;
/** How long a larger difference must stand before it is taken, ms. */
const standsMs = 10 * 60_000;
/** Two readings further apart do not show that a difference stood in between, ms. */
const maxGapMs = 10_000;
/** So much further goes the wall clock while the machine is suspended, ms. */
const suspendedMs = 2_000;

/** One moment, ms: on the monotonic clock, and on the wall clock, which goes on while a machine is suspended. */
export type Moment = { readonly monotonicMs: number; readonly wallMs: number };

export function momentNow(): Moment {
  return { monotonicMs: performance.now(), wallMs: Date.now() };
}

/**
 * Whether the machine was suspended between two moments: the wall clock moved 2 s more than the monotonic one. A wall clock that
 * was set forward looks the same.
 */
export function wasSuspended(from: Moment, to: Moment): boolean {
  return to.wallMs - from.wallMs - (to.monotonicMs - from.monotonicMs) > suspendedMs;
}

/** How far other clocks are ahead of the time in use, ms. */
export type ClockDifferences = {
  readonly wallMs: number;
  /** By the last reading; null before the first. */
  readonly sourceMs: number | null;
};

export type FollowedClock = Clock & {
  /** Where a round trip begins that reads the other clock. */
  moment(): Moment;
  /**
   * Takes a reading of the other clock.
   * @param sent the moment before the question; without it, the reading came in a message that nobody asked for: it is ignored
   * until the first answer, and after a suspension until the next one, because nothing shows how late it is
   */
  learn(atMs: number, sent?: Moment): void;
  /** Whether a reading was taken since the start, and since the machine was suspended. */
  isMeasured(): boolean;
  /** Whether the machine was suspended, and no reading was taken since then. */
  isSuspended(): boolean;
  differences(): ClockDifferences;
};

type Options = {
  /** Whose clock is followed: a word of the log. */
  source: 'database' | 'identity';
  log: Logger;
  moment?: () => Moment;
};

/** A difference that is too large to follow. `stoodMs`: how long readings have shown it. */
type Jump = { readonly offsetMs: number; readonly stoodMs: number; readonly seenMs: number };

/**
 * The time of another clock: an offset to the monotonic clock of this process, learnt from readings. The wall clock of the
 * machine does not matter, except before the first reading.
 *
 * A difference up to 2 s is slewed, so the time never goes back and never jumps. A larger one is an alarm and is not followed
 * before it has stood for ten minutes. At the start, and after the machine was suspended, the first reading is taken as it is.
 */
export function createFollowedClock({ source, log, moment = momentNow }: Options): FollowedClock {
  /** The time in use less the monotonic clock; null before the first reading. */
  let offsetMs: number | null = null;
  let targetMs = 0;
  let slewedAtMs = 0;
  let readOffsetMs: number | null = null;
  let jump: Jump | null = null;
  let last = moment();
  let isSuspended = false;

  /** The present moment. Notices here that the machine was suspended, whoever asks. */
  function look(): Moment {
    const present = moment();
    if (wasSuspended(last, present) && !isSuspended) {
      isSuspended = true;
      log.warn({ source }, 'machine suspended, or its clock set forward; reading the time again');
    }
    last = present;
    return present;
  }

  function timeAt({ monotonicMs, wallMs }: Moment): number {
    if (offsetMs === null) return wallMs;
    const stepMs = (monotonicMs - slewedAtMs) * slewRate;
    offsetMs += Math.max(-stepMs, Math.min(stepMs, targetMs - offsetMs));
    slewedAtMs = monotonicMs;
    return monotonicMs + offsetMs;
  }

  function take(newMs: number, monotonicMs: number): void {
    offsetMs = newMs;
    targetMs = newMs;
    slewedAtMs = monotonicMs;
    jump = null;
    isSuspended = false;
  }

  function noteJump(newMs: number, differenceMs: number, seenMs: number): void {
    const difference_ms = Math.round(differenceMs);
    if (jump === null)
      log.error({ alarm: 'clock_jump', source, difference_ms }, 'clock moved; followed after ten minutes');
    const isSame = jump !== null && Math.abs(newMs - jump.offsetMs) <= followedMs;
    jump =
      jump !== null && isSame
        ? { ...jump, stoodMs: jump.stoodMs + Math.min(maxGapMs, seenMs - jump.seenMs), seenMs }
        : { offsetMs: newMs, stoodMs: 0, seenMs };
    if (jump.stoodMs < standsMs) return;
    log.warn({ source, difference_ms }, 'clock taken: the difference stood for ten minutes');
    take(newMs, seenMs);
  }

  return {
    now: () => new Date(timeAt(look())),
    moment: look,
    learn(atMs, sent) {
      const received = look();
      const { monotonicMs } = received;
      const roundTripMs = sent ? monotonicMs - sent.monotonicMs : 0;
      if (roundTripMs > maxRoundTripMs || (sent && wasSuspended(sent, received))) return;
      const isFirst = offsetMs === null || isSuspended;
      if (!sent && isFirst) return;
      const newMs = atMs - (monotonicMs - roundTripMs / 2);
      readOffsetMs = newMs;
      if (isFirst) return take(newMs, monotonicMs);
      const differenceMs = newMs + monotonicMs - timeAt(received);
      if (Math.abs(differenceMs) > followedMs) return noteJump(newMs, differenceMs, monotonicMs);
      if (jump) log.info({ source }, 'clock is back');
      jump = null;
      targetMs = newMs;
    },
    isMeasured() {
      look();
      return offsetMs !== null && !isSuspended;
    },
    isSuspended() {
      look();
      return isSuspended;
    },
    differences() {
      const present = look();
      const timeMs = timeAt(present);
      const sourceMs = readOffsetMs === null ? null : readOffsetMs + present.monotonicMs - timeMs;
      return { wallMs: present.wallMs - timeMs, sourceMs };
    },
  };
}

/** A clock that a test or a program gives: it follows nothing. */
export function ownClock({ now }: Clock): FollowedClock {
  return {
    now,
    moment: momentNow,
    learn: () => undefined,
    isMeasured: () => true,
    isSuspended: () => false,
    differences: () => ({ wallMs: 0, sourceMs: null }),
  };
}
