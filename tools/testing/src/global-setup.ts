import { startGlobalServers } from './global-servers.ts';

// biome-ignore lint/style/noDefaultExport: jest calls the default export of a globalSetup file
export default startGlobalServers;
