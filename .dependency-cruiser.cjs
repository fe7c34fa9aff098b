/** The walls of the house: which folder may import which (ARCHITECTURE has the table), no cycles, nothing that cannot be resolved. */
const { builtinModules } = require('node:module')

const src = '^packages/hookline/src/'
const doors = `${src}(index|node|hook|testing|dialects)[.]ts$`
const builtin = `^(node:)?(${builtinModules.join('|')})$`
const library = '(^|/)node_modules/'

/** Files of these folders, or of this package at all. */
const inside = (...names) => `${src}(${names.join('|')})(/|[.]ts$)`

/** A folder imports itself, what is listed, and libraries; Node's modules only where `node` says so. */
const only = (folder, allowed, { node = false } = {}) => [
  {
    name: `${folder}-imports`,
    comment: `${folder} may import ${allowed.join(', ')} and nothing else of ours. A missing door is added to a door, not dug through the wall.`,
    severity: 'error',
    from: { path: inside(folder) },
    to: { path: '^packages/', pathNot: [inside(folder, ...allowed)] },
  },
  ...(node
    ? []
    : [
        {
          name: `${folder}-without-node`,
          comment: `${folder} runs anywhere: what needs Node comes in through a port.`,
          severity: 'error',
          from: { path: inside(folder) },
          to: { dependencyTypes: ['core'] },
        },
      ]),
]

const agent = '^packages/agent/src/'

/** A room of the agent imports itself, what is listed, and libraries. */
const agentRoom = (room, allowed) => ({
  name: `agent-${room}-imports`,
  comment: `packages/agent: ${room} may import ${allowed.join(', ') || 'nothing else of ours'}; what it needs of the rest comes in as a function.`,
  severity: 'error',
  from: { path: `${agent}${room}/` },
  to: { path: agent, pathNot: `${agent}(${[room, ...allowed].join('|')})(/|[.]ts$)` },
})

module.exports = {
  forbidden: [
    {
      name: 'no-cycle',
      comment: 'Types may refer to each other in a circle (the table and what is read from it do); code that runs may not.',
      severity: 'error',
      from: {},
      to: { circular: true, viaOnly: { dependencyTypesNot: ['type-only'] } },
    },
    { name: 'no-unresolvable', severity: 'error', from: {}, to: { couldNotResolve: true } },
    {
      name: 'no-undeclared-package',
      comment: 'What is shipped imports only what package.json lists under dependencies or peerDependencies.',
      severity: 'error',
      from: { path: '^packages/[^/]+/src/' },
      to: { dependencyTypes: ['npm-dev', 'npm-no-pkg', 'npm-unknown', 'undetermined'], pathNot: '^packages/' },
    },
    { name: 'no-test-in-src', severity: 'error', from: { path: '^packages/[^/]+/src/' }, to: { path: '/(test|bench|scripts|examples)/', pathNot: library } },

    ...only('errors', []),
    ...only('protocol', ['errors']),
    ...only('permission', ['protocol', 'errors']),
    ...only('audit', ['protocol', 'errors']),
    ...only('config', ['protocol', 'permission', 'errors']),
    ...only('engine', ['protocol', 'config', 'permission', 'errors']),
    ...only('station', ['engine', 'permission', 'protocol', 'errors']),
    ...only('process', ['protocol', 'errors'], { node: true }),
    ...only('handlers', ['protocol', 'process', 'errors'], { node: true }),
    ...only('platform', ['protocol', 'config', 'permission', 'audit', 'errors'], { node: true }),
    ...only('dialects', ['protocol', 'errors']),
    ...only('index', ['protocol', 'errors', 'config', 'engine', 'station', 'permission', 'audit', 'handlers']),
    ...only('node', ['index', 'protocol', 'errors', 'config', 'engine', 'station', 'permission', 'audit', 'handlers', 'process', 'platform']),
    ...only('hook', ['protocol']),
    {
      name: 'hook-imports-no-library',
      comment: 'A hook starts in no time: hook.ts loads the protocol and nothing else.',
      severity: 'error',
      from: { path: `${src}hook[.]ts$` },
      to: { path: library },
    },
    {
      name: 'root-door-is-neutral',
      comment: 'Whatever is reachable from index.ts must run without Node.',
      severity: 'error',
      from: { path: `${src}index[.]ts$` },
      to: {
        path: [inside('process', 'platform', 'node', 'cli', 'testing'), builtin],
        reachable: true,
      },
    },
    {
      name: 'public-doors-only',
      comment: 'Adapters, testing, the command line and other packages use the doors that everybody has.',
      severity: 'error',
      from: { path: [inside('cli', 'adapters', 'testing'), '^packages/(?!hookline/)'] },
      to: { path: src, pathNot: [doors, inside('cli'), `${src}adapters/`, inside('testing')] },
    },
    {
      name: 'cli-loads-packages-late',
      comment: 'The command line reaches other packages of this workspace by import() only.',
      severity: 'error',
      from: { path: inside('cli') },
      to: { path: '^packages/(?!hookline/)', dependencyTypesNot: ['dynamic-import'] },
    },
    {
      name: 'one-starter-of-processes',
      comment: 'Only src/process starts processes and workers.',
      severity: 'error',
      from: { path: src, pathNot: [inside('process'), inside('cli')] },
      to: { path: '^(node:)?(child_process|cluster)$' },
    },
    {
      name: 'one-opener-of-sockets',
      comment: 'Only src/process and handlers/http open sockets.',
      severity: 'error',
      from: { path: src, pathNot: [inside('process'), `${src}handlers/http`] },
      to: { path: ['^(node:)?(dgram|http|http2|https|net|tls)$', `${library}undici/`] },
    },

    agentRoom('model', []),
    agentRoom('tools', ['model']),
    agentRoom('mcp', ['tools']),
    agentRoom('memory', []),
    agentRoom('commands', []),
    agentRoom('watch', []),
    agentRoom('worktree', []),
    agentRoom('teams', ['tools']),
    agentRoom('loop', ['session', 'permissions', 'agents', 'model', 'tools', 'events']),
    agentRoom('rooms', ['session', 'loop', 'commands', 'mcp', 'memory', 'teams', 'watch', 'worktree', 'tools', 'events']),
    {
      name: 'agent-faces-on-top',
      comment: 'The faces know the agent; the agent knows no face.',
      severity: 'error',
      from: { path: agent, pathNot: [`${agent}faces/`, `${agent}(run|index)[.]ts$`] },
      to: { path: `${agent}faces/` },
    },
  ],
  options: {
    doNotFollow: { path: library },
    exclude: { path: '(^|/)(dist|coverage)/|/test/data/' },
    tsPreCompilationDeps: true,
    detectJSDocImports: true,
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['source', 'import', 'node', 'default', 'types'],
      extensions: ['.ts', '.js', '.mjs', '.cjs', '.json', '.d.ts'],
    },
    moduleSystems: ['es6', 'cjs'],
  },
}
