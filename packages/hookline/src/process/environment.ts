/** What a child process inherits from the host's environment, and what it never sees. */

/** Variables by name. Made without a prototype, so that a name like `__proto__` is only a name. */
export type Environment = Record<string, string>

// Names that make a loader, a shell or Node run something before the hook itself does, and the telemetry of the host (design decision 20).
const startUpNames = /^(?:BASH_ENV|ENV|NODE_OPTIONS|LD_.*|DYLD_.*|OTEL_.*|BASH_FUNC_.*)$/
// How bash passes functions on. Old releases used plain names, so the value is what tells.
const shellFunction = /^\(\) *\{/
const credentialNames =
  /(?:^|_)(?:API_?KEYS?|KEY|ACCESS_?KEY_ID|TOKEN|SECRETS?|PASSPHRASE|CREDENTIALS?)$|(?:PASSWORD|PASSWD|_PWD)$|(?:^|_)(?:TOKEN|SECRET|API_?KEY)_|^ANTHROPIC_CUSTOM_HEADERS$/i

/** True for a name that only the host may set for its own process: it changes how programs start, or is its telemetry. */
export function isStartUpName(name: string): boolean {
  return startUpNames.test(name)
}

/** True for a name that looks like it holds a credential. */
export function isCredentialName(name: string): boolean {
  return credentialNames.test(name)
}

/** The host's variables that a child may inherit. */
export function inheritable(host: Readonly<Record<string, string | undefined>>): Environment {
  const kept: Environment = Object.create(null)
  for (const [name, value] of Object.entries(host)) {
    if (value !== undefined && !isStartUpName(name) && !shellFunction.test(value)) kept[name] = value
  }
  return kept
}

/** Takes out, in place, every credential whose name `keep` does not claim. */
export function removeCredentials(env: Environment, keep: (name: string) => boolean): void {
  for (const name of Object.keys(env)) if (isCredentialName(name) && !keep(name)) delete env[name]
}
