/** A project, a home and a place for records, for tests of trust: real folders, real hooks that leave a marker. */
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll } from 'vitest'
import type { Diagnostic, TrustAnswer, TrustRequest } from '../../src/index.ts'
import { createHookline, type Hookline, type HooklineOptions } from '../../src/node.ts'

const made: string[] = []
const opened: Hookline[] = []
afterAll(async () => {
  for (const hookline of opened) await hookline.close()
  for (const folder of made) rmSync(folder, { recursive: true, force: true })
})

/** One person with one project. */
export class TrustWorld {
  readonly root = realpathSync(mkdtempSync(join(tmpdir(), 'trust ')))
  readonly project = join(this.root, 'project')
  readonly home = join(this.root, 'home')
  readonly state = join(this.root, 'state')
  readonly notices: Diagnostic[] = []

  constructor() {
    made.push(this.root)
    for (const folder of [this.project, this.home]) mkdirSync(folder)
  }

  get env(): Record<string, string> {
    return { PATH: process.env.PATH ?? '', HOME: this.home, XDG_STATE_HOME: this.state, XDG_CONFIG_HOME: join(this.home, '.config') }
  }

  /** Writes a file; a text that begins with a shebang line becomes a program. */
  write(path: string, content: string | object): string {
    const whole = join(this.root, path)
    mkdirSync(dirname(whole), { recursive: true })
    writeFileSync(whole, typeof content === 'string' ? content : JSON.stringify(content))
    if (typeof content === 'string' && content.startsWith('#!')) chmodSync(whole, 0o755)
    return whole
  }

  /** Settings of the project, or of another place. */
  settings(content: object, path = 'project/.claude/settings.json'): string {
    return this.write(path, content)
  }

  has(path: string): boolean {
    return existsSync(join(this.root, path))
  }
  text(path: string): string {
    return readFileSync(join(this.root, path), 'utf8')
  }
  remove(path: string): void {
    rmSync(join(this.root, path), { recursive: true, force: true })
  }
  /** Names in the folder of the records. */
  records(): string[] {
    const folder = join(this.state, 'hookline/trust')
    return existsSync(folder) ? readdirSync(folder).filter((name) => name.endsWith('.json')) : []
  }

  async open(options: HooklineOptions = {}): Promise<Hookline> {
    const hookline = await createHookline({ cwd: this.project, env: this.env, trust: 'pinned', onNotice: (notice) => this.notices.push(notice), ...options })
    opened.push(hookline)
    return hookline
  }

  /** Answers for the folder as it is now, the way a person does who wants it kept. */
  async accept(answer: TrustAnswer = 'always', options: HooklineOptions = {}): Promise<TrustRequest> {
    const hookline = await this.open(options)
    const [request] = hookline.trust.pending
    if (request === undefined) throw new Error('nothing to answer')
    await hookline.trust.answer(request.digest, answer)
    await hookline.close()
    return request
  }
}

/** A function that asks, which answers as told and remembers what it was asked. */
export function person(...answers: TrustAnswer[]): { ask: (request: TrustRequest) => Promise<TrustAnswer>; asked: TrustRequest[] } {
  const asked: TrustRequest[] = []
  return {
    asked,
    ask: async (request) => {
      asked.push(request)
      return answers[asked.length - 1] ?? 'no'
    },
  }
}

/** Settings with one command for each event given. */
export function running(hooks: Readonly<Record<string, string | readonly string[]>>, more: object = {}): object {
  const entry = (commands: string | readonly string[]) => [{ hooks: [commands].flat().map((command) => ({ type: 'command', command })) }]
  return { ...more, hooks: Object.fromEntries(Object.entries(hooks).map(([event, commands]) => [event, entry(commands)])) }
}

/** Fires SessionStart, PreToolUse of Bash, or Stop; gives the ids of the hooks that ran. */
export async function ranAt(hookline: Hookline, event: 'SessionStart' | 'PreToolUse' | 'Stop'): Promise<string[]> {
  const inputs = {
    SessionStart: { source: 'startup' },
    PreToolUse: { tool_name: 'Bash', tool_input: { command: 'true' }, tool_use_id: 't' },
    Stop: { last_assistant_message: '' },
  }
  const verdict = await hookline.fire(event, inputs[event] as never)
  return verdict.hooks.flatMap((hook) => (hook.status === 'ran' && hook.ending.kind !== 'refused' ? [hook.id] : []))
}
