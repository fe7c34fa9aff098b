/** Function hooks: checks that a session attached in code, run exactly as callbacks are. */
import type { HandlerRunner } from '../protocol/runner.ts'
import { runInCode } from './callback.ts'

/** Runs hooks that `addFunctionHook` attached; the scope turns their yes or no into an answer. */
export function createFunctionHandler(): HandlerRunner {
  return runInCode('function')
}
