/** Which variables a child inherits, and which look like credentials. */
import { describe, expect, it } from 'vitest'
import { inheritable, isCredentialName, removeCredentials } from '../../src/process/environment.ts'

describe('what a child inherits', () => {
  it.each(['BASH_ENV', 'ENV', 'NODE_OPTIONS', 'LD_PRELOAD', 'LD_LIBRARY_PATH', 'DYLD_INSERT_LIBRARIES', 'OTEL_EXPORTER_OTLP_HEADERS', 'BASH_FUNC_ls%%'])(
    'leaves %s out',
    (name) => {
      expect(Object.keys(inheritable({ [name]: 'x', KEPT: 'y' }))).toEqual(['KEPT'])
    },
  )

  it.each(['PATH', 'HOME', 'MY_ENV', 'ENVIRONMENT', 'env', 'NODE_ENV', 'OLD_PATH', 'BASH', 'HOTEL_NAME'])('keeps %s', (name) => {
    expect(Object.keys(inheritable({ [name]: 'x' }))).toEqual([name])
  })

  it('leaves a bash function out whatever it is called', () => {
    expect(Object.keys(inheritable({ git: '() { rm -rf /; }', HINT: 'call f()' }))).toEqual(['HINT'])
  })

  it('leaves unset variables out, and has no prototype to inherit from', () => {
    const env = inheritable({ A: undefined, B: '' })
    expect(Object.keys(env)).toEqual(['B'])
    expect(Object.getPrototypeOf(env)).toBeNull()
  })
})

describe('names that look like credentials', () => {
  it.each([
    'ANTHROPIC_API_KEY',
    'ANTHROPIC_AUTH_TOKEN',
    'CLAUDE_CODE_OAUTH_TOKEN',
    'OPENAI_API_KEY',
    'GITHUB_TOKEN',
    'NPM_TOKEN',
    'AWS_ACCESS_KEY_ID',
    'AWS_SECRET_ACCESS_KEY',
    'AWS_SESSION_TOKEN',
    'AWS_BEARER_TOKEN_BEDROCK',
    'AZURE_CLIENT_SECRET',
    'GOOGLE_APPLICATION_CREDENTIALS',
    'DB_PASSWORD',
    'PGPASSWORD',
    'MYSQL_PWD',
    'SSH_SIGNING_KEY',
    'ACTIONS_ID_TOKEN_REQUEST_URL',
    'ANTHROPIC_CUSTOM_HEADERS',
    'github_token',
    'APIKEY',
  ])('%s does', (name) => {
    expect(isCredentialName(name)).toBe(true)
  })

  it.each([
    'PATH',
    'PWD',
    'OLDPWD',
    'HOME',
    'MAX_THINKING_TOKENS',
    'KEYBOARD',
    'XKEY',
    'MONKEY',
    'TOKENIZERS_PARALLELISM',
    'AWS_REGION',
    'SECRETARY',
    'SSH_AUTH_SOCK',
  ])('%s does not', (name) => {
    expect(isCredentialName(name)).toBe(false)
  })

  it('are taken out, save those that are claimed', () => {
    const env = { A_TOKEN: '1', KEPT_TOKEN: '2', PATH: '/bin' }
    removeCredentials(env, (name) => name === 'KEPT_TOKEN')
    expect(env).toEqual({ KEPT_TOKEN: '2', PATH: '/bin' })
  })
})
