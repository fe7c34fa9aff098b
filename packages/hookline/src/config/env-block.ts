/** The `env` of a settings file: what hooks get from it, and which names a folder may not set (design decision 20). */
import type { SourceKind } from '../protocol/hook.ts'
import { type Findings, quoted } from './findings.ts'
import { kindWord, memberOf, type ObjectTree } from './tree.ts'

/** Names that load code or start programs, choose endpoints or credentials, or move configuration: none is for a folder to set. */
const reservedNames = new Set(
  // Loading and start-up.
  `PATH PATHEXT COMSPEC SHELL HOME USERPROFILE APPDATA LOCALAPPDATA TMPDIR TEMP TMP IFS PS4 ENV BASH_ENV PROMPT_COMMAND ZDOTDIR SHELLOPTS BASHOPTS CDPATH
  EDITOR VISUAL PAGER MANPAGER BROWSER LESSOPEN LESSCLOSE GCONV_PATH GLIBC_TUNABLES OPENSSL_CONF OPENSSL_MODULES OPENSSL_ENGINES
  NODE_OPTIONS NODE_PATH NODE_REPL_EXTERNAL_MODULE NODE_EXTRA_CA_CERTS NODE_TLS_REJECT_UNAUTHORIZED ELECTRON_RUN_AS_NODE
  PYTHONSTARTUP PYTHONPATH PYTHONHOME PYTHONINSPECT PYTHONUSERBASE PYTHONBREAKPOINT PERL5OPT PERL5LIB PERLLIB PERL5DB RUBYOPT RUBYLIB RUBYSHELL GEM_HOME GEM_PATH BUNDLE_GEMFILE
  JAVA_TOOL_OPTIONS JDK_JAVA_OPTIONS _JAVA_OPTIONS CLASSPATH PHPRC PHP_INI_SCAN_DIR LUA_INIT LUA_PATH LUA_CPATH R_PROFILE R_ENVIRON RUSTC_WRAPPER CARGO_HOME GOFLAGS GOPROXY DOTNET_STARTUP_HOOKS
  SSH_ASKPASS SSH_AUTH_SOCK SSLKEYLOGFILE SSL_CERT_FILE SSL_CERT_DIR CURL_CA_BUNDLE REQUESTS_CA_BUNDLE CURL_HOME WGETRC DOCKER_HOST DOCKER_CONFIG KUBECONFIG AWS_CONFIG_FILE AWS_SHARED_CREDENTIALS_FILE
  HTTP_PROXY HTTPS_PROXY ALL_PROXY NO_PROXY FTP_PROXY GOOGLE_APPLICATION_CREDENTIALS CLOUD_ML_REGION
  CLAUDECODE CLAUDE_CONFIG_DIR CLAUDE_PROJECT_DIR CLAUDE_ENV_FILE CLAUDE_PID CLAUDE_EFFORT CLAUDE_CODE_SHELL CLAUDE_CODE_SHELL_PREFIX CLAUDE_CODE_SIMPLE CLAUDE_CODE_REMOTE CLAUDE_CODE_SESSION_ID
  CLAUDE_CODE_STOP_HOOK_BLOCK_CAP CLAUDE_CODE_SESSIONEND_HOOKS_TIMEOUT_MS CLAUDE_CODE_SUBPROCESS_ENV_SCRUB`
    .split(/\s+/)
    .filter((name) => name !== ''),
)
const reservedKinds: readonly RegExp[] = [
  /^(?:LD|DYLD|OTEL|HOOKLINE|NPM_CONFIG|YARN|PNPM|BUN|DENO|PIP|UV|XDG|CLAUDE_PLUGIN|CLAUDE_CODE_MESSAGING)_/,
  /^BASH_FUNC_/,
  /^ANTHROPIC_(?!(?:DEFAULT_\w+_|SMALL_FAST_)?MODEL$)/,
  /^GIT_(?!(?:AUTHOR|COMMITTER)_)/,
  /_(?:BASE_URL|API_BASE|API_URL|API_HOST|ENDPOINT|ENDPOINT_URL|PROXY)$/,
]

/** A file of a source that comes with a folder, not from its user. */
export function comesWithFolder(kind: SourceKind): boolean {
  return kind === 'project' || kind === 'local' || kind === 'plugin'
}

/** True for a name that a folder may not set. Upper and lower case do not count, as some systems do not tell them apart. */
export function isReserved(name: string): boolean {
  const upper = name.toUpperCase()
  return reservedNames.has(upper) || reservedKinds.some((kind) => kind.test(upper))
}

/** Reads the block: texts under usable names, without those that this source may not set. */
export function readEnv(settings: ObjectTree, kind: SourceKind, findings: Findings): Readonly<Record<string, string>> {
  const env: Record<string, string> = Object.create(null)
  const block = memberOf(settings, 'env')
  if (block === undefined) return env
  if (block.kind !== 'object') {
    findings.add('wrong-type', `env: expected object, got ${kindWord(block)}`, { at: block.at })
    return env
  }
  for (const { key, keyAt, value } of block.entries) {
    if (value.kind !== 'text') {
      findings.add('wrong-type', `env: ${quoted(key)} must be text, got ${kindWord(value)}`, { at: value.at, hint: 'Put the value into double quotes.' })
    } else if (key === '' || /[=\0]/.test(key) || value.value.includes('\0')) {
      findings.add('wrong-type', `env: ${quoted(key)} cannot be set: a name is not empty and has no "=", and neither name nor value holds NUL`, { at: keyAt })
    } else if (comesWithFolder(kind) && isReserved(key)) {
      findings.add('reserved-env', `env: a ${kind} file may not set ${key}; it is dropped`, { at: keyAt, hint: 'Set it in your user settings if you want it.' })
    } else env[key] = value.value
  }
  return env
}
