#!/usr/bin/env node
/** The command `hookline`: hands over to the built file. Committed, so that an install can link it before anything is built. */
'use strict'

const dist = `${__dirname}/../dist`

/** Exit code 70 is "internal error"; the others are the command line's own. */
function fail(message) {
  process.stderr.write(`hookline: ${message}\n`)
  process.exitCode = 70
}

const [major, minor] = process.versions.node.split('.').map(Number)
// In 21 and the first versions of 22 there is no getBuiltinModule, without which no built file can be loaded.
const tooOld = major < 20 || (major === 20 && minor < 19) || typeof process.getBuiltinModule !== 'function'

function start() {
  require('../dist/cli.cjs')
    .main(process.argv.slice(2), { dist })
    .then(
      (code) => {
        process.exitCode = code
      },
      (error) => fail(`internal error: ${error instanceof Error ? error.message : String(error)}`),
    )
}

try {
  if (tooOld)
    fail(`this is Node ${process.versions.node}; Hookline needs 20.19, 22.3 or newer. Install one from https://nodejs.org, or choose one that is there.`)
  else start()
} catch (error) {
  const absent = error.code === 'MODULE_NOT_FOUND' && String(error.message).includes('dist/cli.cjs')
  fail(absent ? 'the command line is not built (dist/cli.cjs is missing). In a checkout, run "npm run build" first.' : `internal error: ${error.message}`)
}
