import { stopGlobalServers } from './global-servers.ts';

// biome-ignore lint/style/noDefaultExport: jest calls the default export of a globalTeardown file
export default stopGlobalServers;
