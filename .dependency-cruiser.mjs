/** Who may import whom. The reasons stand in docs/architecture.md; each rule names what it protects. */
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
      comment: 'services meet on the bus, never in code',
      severity: 'error',
      from: { path: '^services/([^/]+)/' },
      to: { path: '^services/([^/]+)/', pathNot: '^services/$1/' },
    },
    {
      name: 'service-to-tools',
      comment: 'the product never depends on its tools',
      severity: 'error',
      from: { path: '^(services|libs)/[^/]+/src' },
      to: { path: '^tools/' },
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
      name: 'only-store-sees-mongoose',
      severity: 'error',
      from: { path: '^services/[^/]+/src/', pathNot: '^services/[^/]+/src/store/' },
      to: { path: '(^|/)node_modules/(mongoose|mongodb)/' },
    },
    {
      name: 'only-platform-bus-sees-nats',
      severity: 'error',
      from: {
        pathNot:
          '^libs/platform/(src/(bus|consume|dead-letter|event-failures|handle-event|relay|settle-failure|nats-|[a-z-]*stream)|test/)|^tools/testing/',
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
      from: { path: '^(services|libs)/[^/]+/src' },
      to: { path: '^(node:)?(child_process|cluster|inspector|repl|vm|worker_threads)(/|$)' },
    },
    {
      name: 'src-not-to-test',
      severity: 'error',
      from: { path: '/src/', pathNot: '^tools/(testing|bench)/' },
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
