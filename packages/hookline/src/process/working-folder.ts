/** Picks the folder a process starts in: the first one that is still there. */
import { accessSync } from 'node:fs'
import { homedir, tmpdir } from 'node:os'

/** The first of `wanted` that can be entered, else the home folder, else the one for temporary files. */
export function pickFolder(wanted: readonly (string | undefined)[]): string {
  for (const folder of wanted) if (folder !== undefined && canEnter(folder)) return folder
  const home = homeFolder()
  return home !== undefined && canEnter(home) ? home : tmpdir()
}

/** Where this process stands; absent when that folder is gone. */
export function currentFolder(): string | undefined {
  try {
    return process.cwd()
  } catch {
    return undefined
  }
}

function homeFolder(): string | undefined {
  try {
    return homedir()
  } catch {
    return undefined
  }
}

function canEnter(folder: string): boolean {
  try {
    // What is in a folder can be looked at only by who may enter it, and only where it is one: both in one question.
    accessSync(`${folder}/.`)
    return folder !== ''
  } catch {
    return false
  }
}
