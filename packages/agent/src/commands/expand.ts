/** Fills arguments into the text of a command: `$ARGUMENTS`, `$1`, `$ARGUMENTS[0]`; what is not used is appended. */

/** Words as a shell would split them, without expanding anything. */
export function splitArguments(text: string): string[] {
  const found: string[] = []
  for (const [, double, single, bare] of text.matchAll(/"((?:\\.|[^"\\])*)"|'([^']*)'|((?:\\.|[^\s"'\\])+)/g)) {
    found.push(double?.replaceAll(/\\(.)/g, '$1') ?? single ?? bare?.replaceAll(/\\(.)/g, '$1') ?? '')
  }
  return found
}

/** `body` with `args` filled in; a backslash before the dollar keeps it as it is. */
export function fillArguments(body: string, args: string): string {
  const words = splitArguments(args)
  let used = false
  const filled = body.replaceAll(
    /(\\?)\$(?:ARGUMENTS\[(\d+)\]|(ARGUMENTS)\b|(\d)(?!\d))/g,
    (whole, ...[escaped, index, all, digit]: (string | undefined)[]) => {
      if (escaped !== '') return whole.slice(1)
      used = true
      if (all !== undefined) return args
      return (index === undefined ? words[Number(digit) - 1] : words[Number(index)]) ?? ''
    },
  )
  return used || args === '' ? filled : `${filled.trimEnd()}\n\nARGUMENTS: ${args}\n`
}

export interface InlineCommand {
  /** The text to replace, with its marks. */
  whole: string
  command: string
}

/** Shell commands in the text: !`command` at the start of a line or after a blank, and blocks fenced as ```!. */
export function inlineCommands(text: string): InlineCommand[] {
  const found: InlineCommand[] = []
  for (const [whole, command = ''] of text.matchAll(/^```!\r?\n([\s\S]*?)\r?\n```/gm)) found.push({ whole, command })
  for (const [whole, command = ''] of text.matchAll(/(?<=^|\s)!`([^`\n]+)`/gm)) found.push({ whole, command })
  return found
}
