export type { SandboxOptions } from './settings.ts';
export { type Sandbox, startSandbox } from './start-sandbox.ts';
