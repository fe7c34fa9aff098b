/** The words of the `sandbox` setting: how far a hook's process is fenced in. */

/** From no fence to the tightest one. */
export const sandboxModes = ['none', 'contained', 'restricted'] as const
export type SandboxMode = (typeof sandboxModes)[number]

/** A fence that was asked for. Paths may begin with `~/`. */
export interface Sandbox {
  /** `contained`: nothing that the hook starts outlives it. `restricted`: moreover the project alone can be written to, the home folder is hidden, and there is no network. */
  readonly mode: Exclude<SandboxMode, 'none'>
  /** Under `restricted`: what may be read beside the system and the project. */
  readonly read?: readonly string[]
  /** Under `restricted`: what may be written to beside the project. */
  readonly write?: readonly string[]
  /** Under `restricted`: the network of the machine is there. */
  readonly network?: boolean
}

/** The setting as it is written. */
export type SandboxSetting = SandboxMode | { mode: SandboxMode; read?: string[]; write?: string[]; network?: boolean }
