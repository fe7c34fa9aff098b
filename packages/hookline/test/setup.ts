/** Loaded before every test file: a process warning (a leaked listener, a deprecated call) fails the run. */
process.on('warning', (warning) => {
  if (warning.name !== 'ExperimentalWarning') throw warning
})
