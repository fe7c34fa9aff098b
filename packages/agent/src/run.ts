/** The door of `hookline run`: the reference agent as a command. */
export type { Emit } from './events.ts'
