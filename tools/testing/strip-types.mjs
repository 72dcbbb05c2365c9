import { stripTypeScriptTypes } from 'node:module';

/** jest's transform of a TypeScript file: the types become blanks, as when Node.js runs it. Lines and columns stay. */
// biome-ignore lint/style/noDefaultExport: jest takes the default export of a transform
export default { process: (source) => ({ code: stripTypeScriptTypes(source) }) };
