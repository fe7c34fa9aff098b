/** The tool station: what lies between a tool call and the tool, on top of any scope (contract §5). */
import type { Station } from '../engine/seat.ts'
import type { Permissions } from '../protocol/permission.ts'
import { permit } from './permit.ts'
import { runTool } from './run-tool.ts'

/** The station with the host's standing permissions; each call may add its own. */
export function station(standing: Partial<Permissions> = {}): Station {
  return {
    permit: (scope, call, options = {}) => permit(scope, call, { ...standing, ...options }),
    runTool: (scope, call, { execute, options = {} }) => runTool(scope, call, { execute, options: { ...standing, ...options } }) as never,
  }
}
