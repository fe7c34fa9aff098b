/** Hooks in code, written down like settings, with every input and answer typed by its event. */
import type { Hooks } from './handler-spec.ts'

/** Gives back what it got; it is here for the types. Pass the result to `createEngine({ hooks })` or `scope.on`. */
export function defineHooks<const H extends Hooks>(hooks: H): H {
  return hooks
}
