/** Runs one promise in a process of its own and hands its finding to the process that asked. */
import { readdirSync } from 'node:fs'
import { pathToFileURL } from 'node:url'
import { randomFrom } from './random.js'

let told = 0

/** All promises, in order. */
export async function loadPromises() {
  const folder = new URL('checks/', import.meta.url)
  const all = []
  for (const file of readdirSync(folder).sort()) {
    if (!file.endsWith('.js')) continue
    const { promises } = await import(new URL(file, folder).href)
    all.push(...promises)
  }
  return all
}

if (import.meta.url === pathToFileURL(process.argv[1]).href) {
  const [, , id, seed, short] = process.argv
  const promise = (await loadPromises()).find((one) => one.id === id)
  const finding = await promise.run({ seed: Number(seed), random: randomFrom(Number(seed)), short: short === 'short', tell })
  process.send({ finding }, () => process.exit(0))
}

/** Says how far it is, at most twice a second. */
function tell(progress) {
  if (performance.now() - told < 500) return
  told = performance.now()
  process.send({ progress })
}
