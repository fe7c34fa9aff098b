/** The peers, installed beside this file and never by `npm ci` at the root. A peer that is not there is left out, and said so. */
import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

const here = fileURLToPath(new URL('.', import.meta.url))

/** Installs the peers from the lock file unless they are there. */
export function installPeers() {
  if (existsSync(`${here}node_modules/hookable`)) return true
  console.error('bench: installing the peers (once)…')
  return spawnSync('npm', ['ci', '--ignore-scripts', '--no-audit', '--no-fund', '--prefix', here], { stdio: ['ignore', 'ignore', 'inherit'] }).status === 0
}

/** The peers that are measured in this process; `undefined` where one is not installed. */
export async function loadPeers() {
  const [hookable, tapable, before, gemini] = await Promise.all([
    attempt(() => import('hookable')),
    attempt(() => import('tapable')),
    attempt(async () => (await import('before-after-hook')).default),
    attempt(loadGemini),
  ])
  return { hookable, tapable, before, gemini }
}

async function attempt(load) {
  try {
    return await load()
  } catch (error) {
    console.error(`bench: left out: ${error.message.split('\n')[0]}`)
    return undefined
  }
}

/** The Gemini CLI's real hook system, telemetry off. Throws where it is not installed. */
export async function loadGemini() {
  const core = await import('@google/gemini-cli-core')
  // It prints what it does; that is not what is measured.
  for (const level of ['log', 'debug']) core.debugLogger[level] = () => {}
  return {
    /** `hooks` in Gemini's settings form, or callbacks. */
    async make(hooks) {
      const config = geminiConfig(hooks)
      const system = new core.HookSystem(config)
      await system.initialize()
      return system
    },
    core,
  }
}

function geminiConfig(hooks) {
  const base = {
    getHooks: () => hooks,
    getProjectHooks: () => ({}),
    getDisabledHooks: () => [],
    getEnableHooks: () => true,
    getEnableHooksUI: () => false,
    getSessionId: () => 's-1',
    getWorkingDir: () => process.cwd(),
    getTargetDir: () => process.cwd(),
    isTrustedFolder: () => true,
    getTelemetryLogPromptsEnabled: () => false,
    getTelemetryEnabled: () => false,
    getExtensions: () => [],
    getMessageBus: () => undefined,
    getDebugMode: () => false,
    geminiClient: undefined,
    getGeminiClient: () => undefined,
    sanitizationConfig: { enableEnvironmentVariableRedaction: false, allowedEnvironmentVariables: [], blockedEnvironmentVariables: [] },
    storage: new Proxy({}, { get: () => () => process.cwd() }),
  }
  // The hook system asks its host for more than it needs here; what it asks beyond this list is answered with nothing.
  const host = new Proxy(base, { get: (target, key) => (key === 'config' ? host : key in target ? target[key] : () => undefined) })
  return host
}
