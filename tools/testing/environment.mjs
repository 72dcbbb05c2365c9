import { TestEnvironment } from 'jest-environment-node';

const errors = ['Error', 'TypeError', 'RangeError', 'SyntaxError', 'URIError', 'AggregateError'];
const builtIn = [...errors, 'Object', 'Array', 'Function', 'Date', 'Map', 'Set', 'RegExp', 'Promise'];

/**
 * jest's environment for Node.js. A test file has built-in classes of its own there, and modules of Node.js make errors and objects
 * of the ordinary ones. `instanceof` knows both, as in a program: else a service would not recognise a refused connection as an error.
 */
// biome-ignore lint/style/noDefaultExport: jest takes the default export of an environment
export default class extends TestEnvironment {
  async setup() {
    await super.setup();
    for (const name of builtIn) {
      const own = this.global[name];
      const value = function (object) {
        const isOf = Function.prototype[Symbol.hasInstance];
        return isOf.call(this, object) || (this === own && isOf.call(globalThis[name], object));
      };
      Object.defineProperty(own, Symbol.hasInstance, { value });
    }
  }
}
