/** Preloaded (`--import`): the process's wall clock is CLOCK_OFFSET_MS ahead of the machine's, or behind where it is negative. */
const offsetMs = Number(process.env.CLOCK_OFFSET_MS);
const MachineDate = globalThis.Date;

globalThis.Date = new Proxy(MachineDate, {
  construct: (target, args, newTarget) =>
    Reflect.construct(target, args.length > 0 ? args : [target.now() + offsetMs], newTarget),
  get: (target, name) =>
    name === 'now' ? () => MachineDate.now() + offsetMs : Reflect.get(target, name, target),
});
