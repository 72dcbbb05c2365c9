/** The folders of libs/platform/src, and those beside themselves that they may not import. */
const platformFolders = {
  'timing|settings|secrets|telemetry': 'store|bus|streams|events|outbox|http|process|programs',
  store: 'bus|streams|events|outbox|http|process|programs',
  bus: 'store|streams|events|outbox|http|process|programs',
  'streams|events|outbox': 'http|process|programs',
  http: 'bus|streams|events|outbox|process|programs',
  process: 'programs',
};
const platformRules = Object.entries(platformFolders).map(([from, to]) => ({
  name: `platform-${from.replaceAll('|', '-')}`,
  severity: 'error',
  from: { path: `^libs/platform/src/(${from})/` },
  to: { path: `^libs/platform/src/(${to})/` },
}));

/** Services that are built by stories (docs/how-a-service-is-built.md), and the ground below the stories. */
const byStories = 'cases';
const ground = 'store|rules|clients|present';
const isTest = '\\.test\\.ts$';
const storyRules = [
  {
    name: 'ground-knows-no-story',
    severity: 'error',
    from: { path: `^services/(${byStories})/src/(${ground})/`, pathNot: isTest },
    to: { path: `^services/$1/src/(?!(${ground})/)` },
  },
  {
    name: 'stories-meet-at-the-index',
    comment: 'a story uses of another one what its index.ts names',
    severity: 'error',
    from: { path: `^services/(${byStories})/src/([^/]+)/`, pathNot: isTest },
    to: {
      path: `^services/$1/src/(?!(${ground})/)[^/]+/`,
      pathNot: '^services/$1/src/($2/|[^/]+/index\\.ts$)',
    },
  },
  {
    name: 'rules-are-pure',
    comment: 'rules have no I/O: they import contracts and each other',
    severity: 'error',
    from: { path: `^services/(${byStories})/src/rules/`, pathNot: isTest },
    to: { pathNot: '^services/[^/]+/src/rules/|^libs/contracts/|(^|/)node_modules/zod/' },
  },
];

/** Who may import whom. The reasons are in docs/how-a-service-is-built.md; each rule names what it protects. */
export default {
  forbidden: [
    { name: 'no-circular', severity: 'error', from: {}, to: { circular: true } },
    {
      name: 'contracts-is-pure',
      comment: 'contracts is what teams share: zod and itself only (fs reads its own table of statuses)',
      severity: 'error',
      from: { path: '^libs/contracts/src' },
      to: { pathNot: '^libs/contracts/src|(^|/)node_modules/zod/|^(node:)?fs$' },
    },
    {
      name: 'platform-knows-no-service',
      severity: 'error',
      from: { path: '^libs/platform' },
      to: { path: '^services/' },
    },
    {
      name: 'service-to-service',
      comment: 'services meet on the bus, never in code; services/all only starts them',
      severity: 'error',
      from: { path: '^services/([^/]+)/', pathNot: '^services/all/' },
      to: { path: '^services/([^/]+)/', pathNot: '^services/$1/' },
    },
    {
      name: 'all-starts-services',
      comment: 'one process has what six have, and nothing of its own between them (docs/adr/0099)',
      severity: 'error',
      from: { path: '^services/all/src/' },
      to: {
        path: '^services/(?!all/)',
        pathNot: '^services/[^/]+/src/(service|config|checks|admin/run-admin)\\.ts$',
      },
    },
    {
      name: 'no-service-knows-all',
      severity: 'error',
      from: { path: '^(services/(?!all/)|libs/)' },
      to: { path: '^services/all/' },
    },
    {
      name: 'service-to-tools',
      comment: 'the product never depends on its tools',
      severity: 'error',
      from: { path: '^(services|libs)/[^/]+/src', pathNot: isTest },
      to: { path: '^tools/' },
    },
    {
      name: 'driver-stands-alone',
      comment:
        'the driver sees a system as its callers do; tools/dev seeds with it, so it imports no other tool',
      severity: 'error',
      from: { path: '^tools/driver/' },
      to: { path: '^(services|libs/platform)/|^tools/(?!driver/)' },
    },
    {
      name: 'domain-is-pure',
      comment: 'rules have no I/O: they import contracts and each other',
      severity: 'error',
      from: { path: '^services/[^/]+/src/domain/' },
      to: {
        pathNot:
          '^services/[^/]+/src/domain/|^libs/contracts/|(^|/)node_modules/(zod|libphonenumber-js|ipaddr\\.js|html-entities)/|^(node:)?crypto$',
      },
    },
    {
      name: 'entrances-are-apart',
      comment: 'what the outside, the bus, the clock or an operator begins does not begin another one',
      severity: 'error',
      from: { path: '^services/([^/]+)/src/(http|events|requests|loops|admin)/' },
      to: {
        path: '^services/$1/src/(http|events|requests|loops|admin)/',
        // The loop that holds the sender's lease serves it.
        pathNot: '^services/$1/src/$2/|^services/monitor/src/requests/check\\.ts$',
      },
    },
    {
      name: 'no-arrow-runs-up',
      comment:
        'http, events, requests, loops, admin → changes → store, clients → domain (docs/how-a-service-is-built.md)',
      severity: 'error',
      from: {
        path: '^services/([^/]+)/src/(changes|present|templates|store|clients|credentials|limits|auth|sending|scheduling|callers)/',
      },
      to: { path: '^services/$1/src/((http|events|requests|loops|admin)/|service\\.ts|main\\.ts)' },
    },
    {
      name: 'stores-and-clients-know-no-changes',
      severity: 'error',
      from: { path: '^services/([^/]+)/src/(store|clients|credentials|present|templates)/' },
      to: { path: '^services/$1/src/(changes/|context\\.ts)' },
    },
    {
      name: 'gateway-rooms',
      comment: 'http, events, loops → auth, limits, docs → clients → domain; auth, limits and docs are apart',
      severity: 'error',
      from: { path: '^services/gateway/src/(auth|limits|docs|clients)/' },
      to: {
        path: '^services/gateway/src/',
        pathNot: '^services/gateway/src/($1|clients|domain)/|^services/gateway/src/config\\.ts',
      },
    },
    {
      name: 'pages-know-no-requests',
      comment: 'http asks the services and knows the caller; pages say what is asked and how it looks',
      severity: 'error',
      from: { path: '^services/gateway/src/pages/' },
      to: { path: '^services/gateway/src/', pathNot: '^services/gateway/src/pages/' },
    },
    {
      name: 'credentials-know-no-stores',
      comment: 'keys, codes and tokens are computed; who stores them imports them',
      severity: 'error',
      from: { path: '^services/([^/]+)/src/credentials/' },
      to: { path: '^services/$1/src/(store|clients|limits)/' },
    },
    {
      name: 'limits-know-no-changes',
      comment: 'changes count against limits, not the other way round',
      severity: 'error',
      from: { path: '^services/([^/]+)/src/limits/' },
      to: { path: '^services/$1/src/changes/' },
    },
    {
      name: 'monitor-rooms',
      comment:
        'loops, requests → scheduling → changes, sending; loops, requests → callers; these three are apart',
      severity: 'error',
      from: { path: '^services/monitor/src/(changes|sending|callers|store|clients|present)/' },
      to: {
        path: '^services/monitor/src/(scheduling|changes|sending|callers)/',
        pathNot: '^services/monitor/src/$1/',
      },
    },
    {
      name: 'present-reads-rows',
      comment:
        'what callers and events see is made of rows and rules; of the store only the types of its rows',
      severity: 'error',
      from: { path: '^services/([^/]+)/src/present/' },
      to: {
        path: '^services/$1/src/(store|clients)/',
        dependencyTypesNot: ['type-only'],
      },
    },
    {
      name: 'stores-present-nothing',
      severity: 'error',
      from: { path: '^services/([^/]+)/src/(store|clients)/' },
      to: { path: '^services/$1/src/present/' },
    },
    ...storyRules,
    ...platformRules,
    {
      name: 'only-store-sees-mongoose',
      severity: 'error',
      from: { path: '^services/[^/]+/src/', pathNot: `^services/[^/]+/src/store/|${isTest}` },
      to: { path: '(^|/)node_modules/(mongoose|mongodb)/' },
    },
    {
      name: 'gateway-has-no-database',
      comment: 'the gateway does not load mongoose (services/gateway/test/no-database.test.ts)',
      severity: 'error',
      from: { path: '^services/gateway/' },
      to: { path: '^libs/platform/src/database\\.ts$' },
    },
    {
      name: 'only-platform-bus-sees-nats',
      severity: 'error',
      from: {
        pathNot:
          '^libs/platform/(src/(bus|events|streams|outbox|programs)/|test/)|^tools/(testing/|chaos/|bench/src/changes\\.ts)',
      },
      to: { path: '(^|/)node_modules/@nats-io/' },
    },
    {
      name: 'only-clients-go-outside',
      severity: 'error',
      from: { path: '^services/[^/]+/src/', pathNot: '^services/[^/]+/src/clients/' },
      to: { path: '(^|/)node_modules/(nodemailer|twilio|undici)/' },
    },
    {
      name: 'starts-no-program',
      comment:
        'no text from outside can become a command or code: the product starts no process and compiles no text',
      severity: 'error',
      from: { path: '^(services|libs)/[^/]+/src', pathNot: isTest },
      to: { path: '^(node:)?(child_process|cluster|inspector|repl|vm|worker_threads)(/|$)' },
    },
    {
      name: 'src-not-to-test',
      severity: 'error',
      from: { path: '/src/', pathNot: `^tools/(testing|bench|chaos)/|${isTest}` },
      to: { path: '/test/|^tests/|^tools/testing/' },
    },
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    exclude: {
      path: '(^|/)node_modules/(?!(zod|mongoose|mongodb|nodemailer|twilio|undici|@nats-io|libphonenumber-js|ipaddr\\.js|html-entities)/)',
    },
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'tsconfig.json' },
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['import', 'node', 'default'],
      extensions: ['.ts', '.mjs', '.js', '.json'],
    },
  },
};
