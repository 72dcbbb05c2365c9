/** One question in so many may be repeated. */
const questionsPerRepeat = 20;
/** Repeats that are saved up at most: as many questions are under way when a connection is lost. */
const savedRepeats = 50;

/**
 * Keeps repeated questions at 5 % of all, so that a sibling that is slow from load does not get twice the load.
 * The first question may be repeated already.
 */
export function createRepeatBudget(): { asked(): void; takeRepeat(): boolean } {
  let saved = questionsPerRepeat - 1;
  return {
    asked() {
      saved = Math.min(saved + 1, savedRepeats * questionsPerRepeat);
    },
    takeRepeat() {
      if (saved < questionsPerRepeat) return false;
      saved -= questionsPerRepeat;
      return true;
    },
  };
}

export type RepeatBudget = ReturnType<typeof createRepeatBudget>;
