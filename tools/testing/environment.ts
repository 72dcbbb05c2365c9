import { flushCompileCache } from 'node:module';
import { takeCoverage } from 'node:v8';
import { stopShared } from './src/shared.ts';

/** jest's environment without a global object of its own: a test file runs in the ordinary one of its worker. */
// biome-ignore lint/style/noDefaultExport: jest takes the default export of an environment
export default class OrdinaryEnvironment {
  /** jest and jest-circus write here what would be global in a test file. */
  readonly global: Record<string, unknown> = {};

  async setup(): Promise<void> {}

  async teardown(): Promise<void> {
    await stopShared();
    // Else a worker writes them at its end, and each process of a first run compiles them again.
    flushCompileCache();
    // jest may kill a worker at its end, and a killed process reports nothing.
    if (process.env.NODE_V8_COVERAGE) takeCoverage();
  }

  getVmContext(): null {
    return null;
  }
}
