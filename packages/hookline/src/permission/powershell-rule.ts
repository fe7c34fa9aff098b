/** PowerShell rules: compared as text, and with anything that joins or evaluates commands nothing is certain. */
import { cannotTell, type Look, no, yes } from './answer.ts'
import type { RuleUse } from './rule.ts'
import { compilePattern, surelyMatches } from './shell/pattern.ts'

const dynamic = /[$`@{}()&<>%]|\b(?:iex|invoke-expression|invoke-command|icm|start-process|saps|powershell|pwsh|cmd)\b|-enc/i

/** Whether a PowerShell command is covered. Commands and patterns are compared without regard to case, as PowerShell does. */
export function lookAtPowerShell(specifier: string, command: unknown, use: RuleUse): Look {
  if (typeof command !== 'string') return cannotTell('the call has no command')
  const pattern = compilePattern(specifier.toLowerCase())
  const parts = command
    .toLowerCase()
    .split(/[;|\n\r]|&&|\|\|/)
    .map((part) => part.trim().replace(/\s+/g, ' '))
    .filter((part) => part !== '')
  const covered = parts.filter((part) => surelyMatches(pattern, part))
  if (use === 'grant') {
    const plain = !dynamic.test(command) && /^[\x20-\x7E]*$/.test(command)
    return plain && parts.length > 0 && covered.length === parts.length
      ? yes(`every part is covered by "${pattern.text}"`)
      : no(`"${pattern.text}" does not cover all of the command`)
  }
  if (covered.length > 0) return yes(`"${covered[0]}" is covered by "${pattern.text}"`)
  return dynamic.test(command) || /["']/.test(command)
    ? cannotTell(`the command cannot be fully read, so it could be "${pattern.text}"`)
    : no(`nothing in the command is covered by "${pattern.text}"`)
}
