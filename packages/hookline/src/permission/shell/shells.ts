/** Shells as commands: `bash -c text`, a script file, or source from the input. */
import { type Reader, type Spot, weaker } from './reader.ts'
import { plainWord, type ShellWord } from './word.ts'

const shells = new Set(['ash', 'bash', 'csh', 'dash', 'fish', 'ksh', 'mksh', 'oksh', 'rbash', 'sh', 'tcsh', 'yash', 'zsh'])

/** The program is a shell. */
export function isShell(name: string): boolean {
  return shells.has(name)
}

/** Notes what a shell runs, given the words after its name. */
export function readShellCommand(reader: Reader, args: readonly ShellWord[], spot: Spot): void {
  let text = false
  let input = false
  let at = 0
  for (; at < args.length; at++) {
    const option = args[at]?.text ?? ''
    if (option === '--' || option === '-') {
      at++
      break
    }
    if (!/^[-+]./.test(option)) break
    if (option === '--rcfile' || option === '--init-file') {
      const file = args[++at]
      if (file && !file.literal) reader.doubt('a shell starts with a file that is only known when it runs')
      else if (file) reader.runsFile(file)
    } else if (option === '--command') text = true
    else if (!option.startsWith('--')) {
      text ||= option.startsWith('-') && option.includes('c')
      input ||= option.startsWith('-') && option.includes('s')
      if (/[oO]$/.test(option)) at++
    }
  }
  const rest = args.slice(at)
  if (text) return readSource(reader, rest, spot)
  const script = rest[0]
  if (script !== undefined && !input) {
    if (!script.literal || /^\/(?:dev|proc)\//.test(script.text)) reader.doubt('a shell runs a script that is only known when it runs')
    else reader.runsFile({ ...script, text: script.text.includes('/') ? script.text : `./${script.text}` })
    return
  }
  if (spot.stdin === undefined) return
  if (spot.stdin.text === undefined) reader.doubt('a shell runs what it reads from its input')
  else reader.readText(spot.stdin.text, weaker(spot))
}

function readSource(reader: Reader, [source, , ...args]: readonly ShellWord[], spot: Spot): void {
  if (source === undefined) return
  if (!source.literal) return reader.doubt('a shell runs text that is only known when it runs')
  reader.readText(source.text, spot)
  if (args.length === 0 || !/\$[@*\d{]/.test(source.text)) return
  // The text runs its arguments: as a command, or as source in turn.
  reader.runs(args, spot)
  for (const word of args) if (/\s/.test(word.text)) word.literal ? reader.readText(word.text, weaker(spot)) : reader.add([plainWord(word.text)], false)
}
