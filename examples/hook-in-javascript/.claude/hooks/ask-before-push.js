/** Asks the person before anything is pushed, and refuses a forced push to main. */
import { ask, defineHook, deny } from 'hookline/hook'

export const askBeforePush = defineHook('PreToolUse', { matcher: 'Bash' }, ({ tool_input }) => {
  if (!/\bgit push\b/.test(tool_input.command)) return
  if (/ (-f|--force)\b/.test(tool_input.command)) return deny('A forced push rewrites what others have. Push without --force.')
  return ask('A push leaves this machine.')
})
