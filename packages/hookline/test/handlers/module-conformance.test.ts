/** The conformance suite, for module hooks. */
import { existsSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll } from 'vitest'
import { createModuleHandler } from '../../src/handlers/module.ts'
import type { HandlerRunner, RunnableHook } from '../../src/protocol/runner.ts'
import { describeConformance } from './conformance.ts'
import { makeHook } from './make-run.ts'

const root = realpathSync(mkdtempSync(join(tmpdir(), 'hookline-module-')))
const runners: HandlerRunner[] = []
afterAll(async () => {
  for (const runner of runners) await runner.close?.()
  rmSync(root, { recursive: true })
})

/** A hook of a file of its own, whose function has this body. */
function moduleHook(name: string, body: string): RunnableHook {
  const path = join(root, `${name}.mjs`)
  writeFileSync(path, `import { appendFileSync, writeFileSync } from 'node:fs'\nexport default (input, context) => { ${body} }\n`)
  return makeHook({ spec: { type: 'module', path } })
}

describeConformance('module', () => {
  const returned = { kind: 'returned' } as const
  const runner = createModuleHandler()
  runners.push(runner)
  const [begun, alive] = [join(root, 'begun'), join(root, 'alive')]
  for (const file of [begun, alive]) writeFileSync(file, '')
  const size = (file: string) => (existsSync(file) ? readFileSync(file, 'utf8').length : 0)
  return {
    runner,
    silent: { hook: moduleHook('silent', ''), result: { ending: returned } },
    answers: { hook: moduleHook('answers', `return Promise.resolve({ message: 'seen' })`), result: { ending: returned, value: { message: 'seen' } } },
    blocks: { hook: moduleHook('blocks', `return { block: 'not on a Friday' }`), result: { ending: returned, value: { block: 'not on a Friday' } } },
    garbage: { hook: moduleHook('garbage', `return '{"decision": block'`), result: { ending: returned, value: '{"decision": block' } },
    crashes: {
      hook: moduleHook('crashes', `throw new Error('last words')`),
      result: { ending: { kind: 'threw', error: 'last words (at crashes.mjs:2:44)' } },
    },
    huge: {
      hook: moduleHook('huge', `return { context: 'x'.repeat(2_000_000) }`),
      result: { ending: { kind: 'overflowed', stream: 'body', limit: 1_048_576 }, cut: 'body' },
    },
    // Each call says that it is at work, and goes on saying so until its worker is ended.
    hangs: moduleHook(
      'hangs',
      `appendFileSync(${JSON.stringify(begun)}, '.'); const tick = () => writeFileSync(${JSON.stringify(alive)}, String(Date.now())); tick(); setInterval(tick, 5); return new Promise(() => {})`,
    ),
    atWork: async (count) => {
      for (let tries = 0; size(begun) < count; tries++) {
        if (tries > 1000) throw new Error(`${count} hooks should be at work, there are ${size(begun)}`)
        await new Promise((resolve) => setTimeout(resolve, 10))
      }
    },
    leftovers: () => {
      if (size(alive) === 0) return 0
      rmSync(alive)
      const until = performance.now() + 100
      while (performance.now() < until);
      return size(alive) === 0 ? 0 : 1
    },
  }
})
