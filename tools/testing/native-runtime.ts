import { createRequire, registerHooks } from 'node:module';
import { pathToFileURL } from 'node:url';
import { ModernFakeTimers } from '@jest/fake-timers';
import type { Config } from '@jest/types';
import { setGlobals } from './jest-globals.ts';

const require = createRequire(import.meta.url);
const globalsModule = new URL('./jest-globals.ts', import.meta.url).href;
/** Mongoose makes an error for each query. The 100 frames that jest asks for cost more than the query. */
const shownFrames = 20;

registerHooks({
  resolve: (specifier, context, next) =>
    specifier === '@jest/globals' ? { url: globalsModule, shortCircuit: true } : next(specifier, context),
});

/**
 * A runtime for jest that loads modules as Node.js does. jest's own compiles every module again for each test file. Here
 * all files of one worker share the modules and their optimised code. There are no mocks of modules.
 */
// biome-ignore lint/style/noDefaultExport: jest takes the default export of a runtime
export default class NativeRuntime {
  readonly #timers: ModernFakeTimers;

  constructor(config: Config.ProjectConfig) {
    this.#timers = new ModernFakeTimers({ config, global: globalThis });
  }

  /** jest-circus keeps its handlers of events in one list: each test file begins with a new list and a new module. */
  requireInternalModule(path: string): unknown {
    delete require.cache[path];
    Reflect.deleteProperty(globalThis, Symbol.for('EVENT_HANDLERS'));
    return require(path);
  }

  setGlobalsForRuntime(globals: Record<string, unknown>): void {
    setGlobals({ ...globals, jest: this.#timers });
  }

  async unstable_importModule(path: string): Promise<void> {
    // jest has replaced them to map stacks to sources. Ours are the sources.
    Reflect.deleteProperty(Error, 'prepareStackTrace');
    Error.stackTraceLimit = shownFrames;
    await import(pathToFileURL(path).href);
  }

  requireModule(path: string): unknown {
    return require(path);
  }

  unstable_shouldLoadAsEsm(): boolean {
    return true;
  }

  getSourceMaps(): Map<string, string> {
    return new Map();
  }

  getAllCoverageInfoCopy(): undefined {}

  enterTestCode(): void {}

  leaveTestCode(): void {}

  teardown(): void {
    this.#timers.useRealTimers();
  }
}
