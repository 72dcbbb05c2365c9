export { type Child, type ChildOptions, type ExitStatus, startChild } from './child.ts';
export { freePort } from './free-port.ts';
export { endGuard } from './guard.ts';
export { isAlive } from './is-alive.ts';
export { logTail } from './log-tail.ts';
export { type MongodOptions, REPLICA_SET, type RunningServer, spawnMongod, startMongod } from './mongod.ts';
export { type NatsOptions, startNatsServer } from './nats-server.ts';
export { PINS, type ServerName } from './pins.ts';
export { type Binary, type ResolveOptions, resolveBinary, ServerUnavailable } from './resolve-binary.ts';
