/**
 * Sets the wall clock of this process ahead of the machine's by `ms`, or behind it: all that reads the time of a `Date` sees it,
 * the code under test included. The servers of a test and the monotonic clock go on as they are. Returns what sets it right.
 */
export function shiftWallClock(ms: number): () => void {
  const MachineDate = globalThis.Date;
  globalThis.Date = new Proxy(MachineDate, {
    construct: (target, args, newTarget) =>
      Reflect.construct(target, args.length > 0 ? args : [target.now() + ms], newTarget),
    get: (target, name) =>
      name === 'now' ? () => MachineDate.now() + ms : Reflect.get(target, name, target),
  });
  return () => {
    globalThis.Date = MachineDate;
  };
}
