/** Something that runs by itself until it is stopped. */
export type Running = {
  /** Ends what is under way, and resolves when it has ended. */
  stop(): Promise<void>;
};
