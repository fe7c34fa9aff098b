/** A real terminal for tests: tmux types, and reads what a person would see. It is one of the things that CI installs. */
import { execFileSync, spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { expect, onTestFinished, vi } from 'vitest'

const program = join(import.meta.dirname, '../../../hookline/bin/hookline.cjs')
let count = 0

export interface Terminal {
  type(text: string, ...keys: string[]): void
  keys(...keys: string[]): void
  /** Pastes as a person does: marked as a paste, where the program asked for that. */
  paste(text: string): void
  /** Waits until the screen, history included, shows the text; lines that were wrapped are whole. */
  shows(text: string | RegExp): Promise<string>
  /** The screen now, with what colours it. */
  coloured(): string
  /** The process that the shell of the terminal runs. */
  pid(): number
}

export interface TerminalOptions {
  width?: number
  env?: Readonly<Record<string, string>>
}

/** Starts `hookline run` in the folder `proj` of `folder`, with a home and a state folder beside it; the exit code is printed at its end. */
export function terminal(folder: string, words: readonly string[], { width = 120, env = {} }: TerminalOptions = {}): Terminal {
  const name = `hookline-${process.pid}-${++count}`
  const tmux = (...args: string[]): string => execFileSync('tmux', ['-L', name, ...args], { encoding: 'utf8' })
  const set = Object.entries({ HOME: `${folder}/home`, XDG_STATE_HOME: `${folder}/state`, ...env }).map(([key, value]) => `${key}='${value}'`)
  const command = [process.execPath, program, 'run', ...words].map((word) => `'${word}'`).join(' ')
  const line = `${set.join(' ')} ${command}; echo EXIT $?; sleep 300`
  tmux('-f', '/dev/null', 'new-session', '-d', '-s', 't', '-x', String(width), '-y', '60', '-c', join(folder, 'proj'), line)
  onTestFinished(() => void spawnSync('tmux', ['-L', name, 'kill-server']))
  return {
    type(text, ...keys) {
      if (text !== '') tmux('send-keys', '-l', '-t', 't', text)
      if (keys.length > 0) tmux('send-keys', '-t', 't', ...keys)
    },
    keys: (...keys) => void tmux('send-keys', '-t', 't', ...keys),
    paste(text) {
      tmux('set-buffer', text)
      tmux('paste-buffer', '-p', '-t', 't')
    },
    shows: (text) =>
      vi.waitFor(
        () => {
          const screen = tmux('capture-pane', '-J', '-p', '-S', '-200', '-t', 't').replaceAll(/\n{2,}/g, '\n')
          expect(screen).toMatch(text)
          return screen
        },
        { timeout: 60_000, interval: 200 },
      ),
    coloured: () => tmux('capture-pane', '-e', '-p', '-S', '-200', '-t', 't'),
    pid: () => {
      const shell = tmux('display-message', '-p', '-t', 't', '#{pane_pid}').trim()
      return Number(execFileSync('pgrep', ['-P', shell, '-f', 'hookline.cjs'], { encoding: 'utf8' }).trim())
    },
  }
}
