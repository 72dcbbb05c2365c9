import vm from 'node:vm';
import { TestEnvironment } from 'jest-environment-node';

const { createContext } = vm;
/** Mongoose makes an error for each query. jest's 100 frames cost more than the query. */
const shownFrames = 20;

/** jest's environment with an ordinary global object. Behind jest's own, a proxy, each use of a global is slow. */
// biome-ignore lint/style/noDefaultExport: jest takes the default export of an environment
export default class PlainEnvironment extends TestEnvironment {
  constructor(...args: ConstructorParameters<typeof TestEnvironment>) {
    vm.createContext = () => createContext(vm.constants.DONT_CONTEXTIFY);
    try {
      super(...args);
    } finally {
      vm.createContext = createContext;
    }
    this.global.Error.stackTraceLimit = shownFrames;
  }
}
